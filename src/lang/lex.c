/*
 * Tokens of expressions and declarations; blanks, comments and control lines.
 * Literals and macros are in lex_lit.c, probe descriptions in parse_desc.c.
 */
#include "lang/lex.h"

#include "lang/lang.h"

#include <stdlib.h>
#include <string.h>

static const struct {
	const char *text;
	uint8_t len;
	enum tok kind;
} puncts[] =
    {
#define X(id, text) {text, sizeof text - 1, TK_##id},
	LEX_PUNCTS(X)
#undef X
},
  words[] = {
#define X(id, text) {text, sizeof text - 1, TW_##id},
      LEX_WORDS(X)
#undef X
};
enum { NPUNCTS = sizeof puncts / sizeof puncts[0], NWORDS = sizeof words / sizeof words[0] };

enum tok
lex_word(const char *s, size_t len)
{
	size_t lo = 0, hi = NWORDS;
	if (len > sizeof "translator" - 1)
		return TK_IDENT;
	while (lo < hi) {
		size_t mid = (lo + hi) / 2;
		size_t n = words[mid].len < len ? words[mid].len : len;
		int c = memcmp(s, words[mid].text, n);
		if (c == 0)
			c = len < words[mid].len ? -1 : len > words[mid].len;
		if (c == 0)
			return words[mid].kind;
		if (c < 0)
			hi = mid;
		else
			lo = mid + 1;
	}
	return TK_IDENT;
}

const char *
tok_text(enum tok k)
{
	switch (k) {
	case TK_EOF:
		return "end of the program";
	case TK_INT:
		return "a number";
	case TK_STR:
		return "a string";
	case TK_IDENT:
		return "a name";
	case TK_AGG:
		return "an aggregation";
	case TK_EPRED:
		return "'/'";
#define X(id, text) \
	case TK_##id: \
		return "'" text "'";
		LEX_PUNCTS(X)
#undef X
#define X(id, text) \
	case TW_##id: \
		return "'" text "'";
		LEX_WORDS(X)
#undef X
	}
	return "?";
}

void
lex_open(struct lexer *lx, struct cc *cc)
{
	*lx = (struct lexer){.cc = cc, .text = cc->text, .line = 1, .file = cc->file};
	lx->pending_tail = &lx->pending;
	sm_init(&lx->files, &cc->lang->ar);
	if (cc->len >= UINT32_MAX)
		cc_error(cc, (struct pos){0}, "D_SYNTAX", "the program is too big: %zu bytes", cc->len);
	lx->len = (uint32_t)cc->len;
	/* The byte order mark that some editors put before UTF-8 text. */
	if (lx->len >= 3 && memcmp(lx->text, "\xef\xbb\xbf", 3) == 0)
		lx->at = lx->line_at = 3;
}

struct pos
lex_pos(const struct lexer *lx, uint32_t at, uint32_t len)
{
	/* Only an unterminated token can begin before the current line. */
	uint32_t from = at >= lx->line_at ? lx->line_at : at;
	return (struct pos){lx->file, lx->line, at - from + 1, at, len};
}

static void
newline(struct lexer *lx, uint32_t at)
{
	lx->line++;
	lx->line_at = at + 1;
}

/* Skips from behind the opening of a block comment to behind its end. */
static void
skip_block(struct lexer *lx, struct pos opened)
{
	const char *s = lx->text;
	for (uint32_t i = lx->at + 2; i < lx->len; i++) {
		if (s[i] == '\n')
			newline(lx, i);
		else if (s[i] == '*' && i + 1 < lx->len && s[i + 1] == '/') {
			lx->at = i + 2;
			return;
		} else if (s[i] == '/' && i + 1 < lx->len && s[i + 1] == '*')
			cc_error_hint(lx->cc, lex_pos(lx, i, 2), "D_SYNTAX",
			    "comments do not nest: end the first one with */ before this",
			    "/* encountered inside a comment that began on line %u", opened.line);
	}
	cc_error(lx->cc, opened, "D_SYNTAX", "end-of-file encountered before matching */");
}

/* Returns whether only blanks stand between the start of the line and `at`. */
static bool
is_line_start(const struct lexer *lx, uint32_t at)
{
	while (at > lx->line_at && (lx->text[at - 1] == ' ' || lx->text[at - 1] == '\t' || lx->text[at - 1] == '\f' ||
				       lx->text[at - 1] == '\v'))
		at--;
	return at == lx->line_at;
}

static uint32_t
line_end(const struct lexer *lx, uint32_t at)
{
	const char *nl = at < lx->len ? memchr(lx->text + at, '\n', lx->len - at) : NULL;
	return nl ? (uint32_t)(nl - lx->text) : lx->len;
}

/*
 * In a predicate "//" begins a comment. But in "/x//" followed by "*", with the comment ending on the same
 * line, the first of the two slashes closes the predicate and a block comment begins.
 */
static bool
is_slash_then_block(const struct lexer *lx, uint32_t at)
{
	if (!lx->in_pred || at + 2 >= lx->len || lx->text[at + 2] != '*')
		return false;
	uint32_t end = line_end(lx, at);
	return memmem(lx->text + at + 3, end - at - 3, "*/", 2) != NULL;
}

bool
lex_skip(struct lexer *lx)
{
	const char *s = lx->text;
	while (lx->at < lx->len) {
		uint32_t i = lx->at;
		char c = s[i], next = i + 1 < lx->len ? s[i + 1] : '\0';
		if (c == '\n') {
			newline(lx, i);
			lx->at++;
		} else if (lex_is_blank(c)) {
			lx->at++;
		} else if (c == '\\' && (next == '\n' || (next == '\r' && i + 2 < lx->len && s[i + 2] == '\n'))) {
			lx->at++;
		} else if (c == '/' && next == '*') {
			skip_block(lx, lex_pos(lx, i, 2));
		} else if (c == '/' && next == '/' && !is_slash_then_block(lx, i)) {
			lx->at = line_end(lx, i);
		} else if (c == '#' && is_line_start(lx, i)) {
			uint32_t end = line_end(lx, i);
			/* Moves past the line before carrying out the pragma, because a line marker sets the next
			 * line's number. */
			lx->at = end;
			if (next != '!')
				pragma_line(lx, i + 1, end);
		} else {
			return true;
		}
	}
	return false;
}

/* Returns whether a '/' in a predicate is the closing one, from what follows it. Only looks ahead. */
static bool
closes_predicate(const struct lexer *lx, uint32_t at)
{
	const char *s = lx->text;
	for (uint32_t i = at; i < lx->len;) {
		char next = i + 1 < lx->len ? s[i + 1] : '\0';
		if (lex_is_blank(s[i]) || (s[i] == '\\' && next == '\n')) {
			i++;
		} else if (s[i] == '/' && next == '*') {
			const char *end = memmem(s + i + 2, lx->len - i - 2, "*/", 2);
			if (!end)
				return true;
			i = (uint32_t)(end - s) + 2;
		} else if (s[i] == '/' && next == '/') {
			i = line_end(lx, i);
		} else if (s[i] == '#' && (i == 0 || s[i - 1] == '\n')) {
			i = line_end(lx, i);
		} else {
			return s[i] == '{' || s[i] == ';' || s[i] == '/' || s[i] == '}';
		}
	}
	return true;
}

static void
lex_name(struct lexer *lx, struct token *t)
{
	uint32_t i = lx->at;
	bool scoped = false;
	while (i < lx->len && (lex_is_name(lx->text[i]) || lx->text[i] == '`')) {
		scoped |= lx->text[i] == '`';
		i++;
	}
	t->text = lx->text + lx->at;
	t->len = i - lx->at;
	t->kind = lx->after_member || scoped ? TK_IDENT : lex_word(t->text, t->len);
	lx->at = i;
}

/* Reports a character that no token begins with. */
static _Noreturn void
lex_junk(struct lexer *lx)
{
	unsigned char c = (unsigned char)lx->text[lx->at];
	struct pos pos = lex_pos(lx, lx->at, 1);
	if (c == '\0')
		cc_error_hint(lx->cc, pos, "D_SYNTAX", "is this a text file?", "the program contains a NUL byte");
	if (c >= 0x80)
		cc_error_hint(lx->cc, pos, "D_SYNTAX", "only strings and comments may hold other characters than ASCII",
		    "syntax error near byte 0x%02x", c);
	if (c < 0x20 || c == 0x7f)
		cc_error(lx->cc, pos, "D_SYNTAX", "syntax error near control byte 0x%02x", c);
	if (c == '#')
		cc_error_hint(
		    lx->cc, pos, "D_SYNTAX", "control lines such as #pragma begin a line", "syntax error near \"#\"");
	cc_error(lx->cc, pos, "D_SYNTAX", "syntax error near \"%c\"", c);
}

static void
lex_punct(struct lexer *lx, struct token *t)
{
	const char *s = lx->text + lx->at;
	size_t room = lx->len - lx->at;
	if (*s == '/' && lx->in_pred && closes_predicate(lx, lx->at + 1)) {
		t->kind = TK_EPRED;
		lx->at++;
		return;
	}
	for (size_t i = 0; i < NPUNCTS; i++) {
		if (puncts[i].text[0] == *s && puncts[i].len <= room && memcmp(s, puncts[i].text, puncts[i].len) == 0) {
			t->kind = puncts[i].kind;
			lx->at += puncts[i].len;
			return;
		}
	}
	lex_junk(lx);
}

void
lex_next(struct lexer *lx, struct token *t)
{
	bool more = lex_skip(lx);
	uint32_t from = lx->at;
	*t = (struct token){.pos = lex_pos(lx, from, 0)};
	if (!more)
		return;
	char c = lx->text[from], next = from + 1 < lx->len ? lx->text[from + 1] : '\0';
	if (lex_is_name_start(c) || c == '`')
		lex_name(lx, t);
	else if (lex_is_digit(c) || (c == '.' && lex_is_digit(next)))
		lex_number(lx, t);
	else if (c == '"')
		lex_string(lx, t);
	else if (c == '\'')
		lex_char(lx, t);
	else if (c == '$')
		lex_macro(lx, t);
	else if (c == '@') {
		lx->at++;
		t->text = lx->text + lx->at;
		if (lex_is_name_start(next))
			while (lx->at < lx->len && lex_is_name(lx->text[lx->at]))
				lx->at++;
		t->len = (uint32_t)(lx->text + lx->at - t->text);
		/* "@_" is another way to write "@". */
		if (t->len == 1 && *t->text == '_')
			t->len = 0;
		t->kind = TK_AGG;
	} else
		lex_punct(lx, t);
	t->pos.len = lx->at - from;
	lx->after_member = t->kind == TK_DOT || t->kind == TK_ARROW;
}
