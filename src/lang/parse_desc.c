/*
 * Probe descriptions: provider:module:function:name.
 *
 * Their characters are not those of D: '-', '*' and '?' are parts of names. Two things are ambiguous. A '/' begins a
 * predicate unless it begins the arity of an Erlang function, as in "seq/2:". And a word may be a type, as in "int*x;",
 * which begins a declaration.
 */
#include "lang/lang.h"
#include "lang/lex.h"

#include <string.h>

static bool
is_desc_char(unsigned char c)
{
	return lex_is_name((char)c) || c >= 0x80 || (c && strchr("-$:.`?*[]!+@^", c));
}

/*
 * Returns the length of the arity that the '/' at `at` begins, including the '/', or 0 if it begins a predicate. It is
 * an arity if digits (or a glob for them) and then the ':' before the probe's name follow, or if the function is the
 * last field (-f).
 */
static uint32_t
arity_len(const struct lexer *lx, uint32_t at)
{
	const char *s = lx->text;
	uint32_t i = at + 1;
	if (i < lx->len && lex_is_digit(s[i]))
		while (i < lx->len && lex_is_digit(s[i]))
			i++;
	else if (i < lx->len && (s[i] == '?' || s[i] == '*'))
		i++;
	else if (i < lx->len && s[i] == '[') {
		while (i < lx->len && (lex_is_digit(s[i]) || strchr("[-!", s[i])))
			i++;
		if (i < lx->len && s[i] == ']')
			i++;
	}
	if (i == at + 1)
		return 0;
	bool at_end = i == lx->len;
	if (!at_end && s[i] == ':')
		return i - at;
	/* Names that the Erlang compiler makes: -init/1-fun-0- */
	if (lx->len - i >= 5 && memcmp(s + i, "-fun-", 5) == 0)
		return i - at;
	bool is_last = lx->cc->pspec == PS_FUNC && lex_is_digit(s[at + 1]);
	return is_last && (at_end || !is_desc_char((unsigned char)s[i])) ? i - at : 0;
}

/* The end of the description that begins at `at`. */
static uint32_t
desc_end(const struct lexer *lx, uint32_t at)
{
	const char *s = lx->text;
	uint32_t i = at;
	while (i < lx->len) {
		if (s[i] == '\'') {
			const char *end = memchr(s + i + 1, '\'', lx->len - i - 1);
			const char *nl = memchr(s + i + 1, '\n', lx->len - i - 1);
			if (!end || (nl && nl < end))
				return i;
			i = (uint32_t)(end - s) + 1;
		} else if (s[i] == '\\') {
			if (i + 1 == lx->len || lex_is_blank(s[i + 1]))
				return i;
			i += 2;
		} else if (s[i] == '/' && i > at && arity_len(lx, i)) {
			i += arity_len(lx, i);
		} else if (is_desc_char((unsigned char)s[i])) {
			i++;
		} else
			return i;
	}
	return i;
}

static char
next_char(const struct lexer *lx, uint32_t at)
{
	while (at < lx->len && lex_is_blank(lx->text[at]))
		at++;
	return at < lx->len ? lx->text[at] : '\0';
}

/* Words that begin a declaration wherever they stand alone. */
static bool
is_decl_word(enum tok k)
{
	switch (k) {
	case TW_AUTO:
	case TW_BOOL:
	case TW_CHAR:
	case TW_CONST:
	case TW_COUNTER:
	case TW_DOUBLE:
	case TW_ENUM:
	case TW_EXTERN:
	case TW_FLOAT:
	case TW_IMPORT:
	case TW_INLINE:
	case TW_INT:
	case TW_LONG:
	case TW_PROVIDER:
	case TW_REGISTER:
	case TW_RESTRICT:
	case TW_SELF:
	case TW_SHORT:
	case TW_SIGNED:
	case TW_STATIC:
	case TW_STRING:
	case TW_STRUCT:
	case TW_THIS:
	case TW_TRANSLATOR:
	case TW_TYPEDEF:
	case TW_UNION:
	case TW_UNSIGNED:
	case TW_VOID:
	case TW_VOLATILE:
		return true;
	default:
		return false;
	}
}

static bool
names_type(struct lexer *lx, const char *s, size_t n)
{
	struct arena *ar = lx->cc->ar;
	struct ar_mark m = ar_mark(ar);
	bool is_type = type_named(lx->cc->lang->types, ar_strndup(ar, s, n)) != NULL;
	if (ar != &lx->cc->lang->ar)
		ar_reset(ar, m);
	return is_type;
}

/* "alert p99(@wait) …". Behind a description comes '{', '/', ',' or ';', never a word, so this was an error before. */
static bool
is_alert(const struct lexer *lx, const char *s, uint32_t word)
{
	char next = next_char(lx, lx->at + word);
	return word == 5 && memcmp(s, "alert", 5) == 0 && (lex_is_name_start(next) || next == '@');
}

enum outer
lex_outer(struct lexer *lx)
{
	if (lx->at >= lx->len)
		return LO_END;
	const char *s = lx->text + lx->at;
	uint32_t run = desc_end(lx, lx->at) - lx->at, word = 0, stars;
	if (!run)
		return LO_JUNK;
	while (word < run && lex_is_name(s[word]))
		word++;
	if (!word || lex_is_digit(*s))
		return LO_PDESC;
	enum tok k = lex_word(s, word);
	if (word == run && is_decl_word(k))
		return LO_DECL;
	if (!is_decl_word(k) && !names_type(lx, s, word))
		return word == run && is_alert(lx, s, word) ? LO_ALERT : LO_PDESC;
	for (stars = word; stars < run && s[stars] == '*'; stars++)
		;
	char next = next_char(lx, lx->at + run);
	if (stars == run)
		return lex_is_name_start(next) || next == '*' || next == '(' ? LO_DECL : LO_PDESC;
	/* "int*x;" and "int*x[4];", but "int*x:::entry" and "int*x {" are descriptions. */
	if (stars == word || !lex_is_name_start(s[stars]) || memchr(s, ':', run))
		return LO_PDESC;
	return next == ';' || next == ',' || next == '=' || next == '[' ? LO_DECL : LO_PDESC;
}

/* Text under construction in cc->ar. */
struct made {
	struct arena *ar;
	VEC(char) v;
};

static void
add(struct made *m, char c)
{
	VEC_PUSH(m->ar, &m->v, c);
}

/* Expands a macro in a description to its text. Returns the bytes read. */
static uint32_t
expand(struct lexer *lx, struct made *m, const char *s, uint32_t n, struct pos pos)
{
	uint32_t from = n > 1 && s[1] == '$' ? 2 : 1, i = from;
	if (i < n && lex_is_digit(s[i]))
		while (i < n && lex_is_digit(s[i]))
			i++;
	else
		while (i < n && lex_is_name(s[i]))
			i++;
	if (i == from)
		cc_error(lx->cc, pos, "D_PDESC_INVAL",
		    "a '$' in a probe description begins a macro variable; write \\$ for itself");
	if (lx->cc->target < 0 && i - from == 6 && memcmp(s + from, "target", 6) == 0)
		cc_error_hint(lx->cc, pos, "D_MACRO_UNDEF", "name a process with -p or -c",
		    "macro variable $target is not defined");
	const char *text = lex_macro_text(lx, s + from, i - from, pos);
	for (const char *c = text ? text : ""; *c; c++)
		add(m, *c);
	return i;
}

/* The description with macros expanded and quotes turned into escapes; fields are still joined. */
static char *
cook(struct lexer *lx, const char *s, uint32_t n, struct pos pos)
{
	struct made m = {.ar = lx->cc->ar};
	for (uint32_t i = 0; i < n; i++) {
		if (s[i] == '\\' && i + 1 < n) {
			add(&m, '\\');
			add(&m, s[++i]);
		} else if (s[i] == '\'') {
			/* Quoted text stands for itself, including colons. */
			for (i++; i < n && s[i] != '\''; i++) {
				if (strchr("*?[]!\\:", s[i]))
					add(&m, '\\');
				add(&m, s[i]);
			}
		} else if (s[i] == '$') {
			i += expand(lx, &m, s + i, n - i, pos) - 1;
		} else
			add(&m, s[i]);
	}
	add(&m, '\0');
	return m.v.at;
}

static const char *
spec_name(int pspec)
{
	switch (pspec) {
	case PS_PROVIDER:
		return "a provider";
	case PS_MODULE:
		return "provider:module";
	case PS_FUNC:
		return "provider:module:function";
	default:
		return "provider:module:function:name";
	}
}

/* Splits at colons. cc->pspec tells which field is the last. */
static void
split(struct lexer *lx, struct node *n, char *text)
{
	char *fields[4];
	unsigned nfields = 0, most = lx->cc->pspec == PS_PROVIDER ? 1
				     : lx->cc->pspec == PS_MODULE ? 2
				     : lx->cc->pspec == PS_FUNC   ? 3
								  : 4;
	fields[nfields++] = text;
	for (char *c = text; *c; c++) {
		if (*c == '\\' && c[1]) {
			c++;
			continue;
		}
		if (*c != ':')
			continue;
		if (nfields == most)
			cc_error_hint(lx->cc, n->pos, "D_PDESC_INVAL",
			    ar_printf(lx->cc->ar, "%s has %s",
				most == 4 ? "a probe description" : "what this option takes",
				spec_name((int)lx->cc->pspec)),
			    "overspecified probe description: more than %u field%s", most, most == 1 ? "" : "s");
		*c = '\0';
		fields[nfields++] = c + 1;
	}
	for (unsigned i = 0; i < 4; i++)
		n->u.pdesc.names[i] = "";
	for (unsigned i = 0; i < nfields; i++)
		n->u.pdesc.names[most - nfields + i] = fields[i];
}

void
lex_pdesc(struct lexer *lx, struct node *n)
{
	uint32_t end = desc_end(lx, lx->at), len = end - lx->at;
	const char *s = lx->text + lx->at;
	n->pos = lex_pos(lx, lx->at, len);
	if (!len) {
		char c = lx->at < lx->len ? *s : '\0';
		if (c > 0x20 && c < 0x7f)
			cc_error(
			    lx->cc, lex_pos(lx, lx->at, 1), "D_SYNTAX", "expected a probe description before '%c'", c);
		cc_error(lx->cc, lex_pos(lx, lx->at, 0), "D_SYNTAX", "expected a probe description before %s",
		    c ? "this" : "end of the program");
	}
	lx->at = end;
	char *text = cook(lx, s, len, n->pos);
	size_t digits = strspn(text, "0123456789");
	if (digits && !text[digits]) {
		uint64_t id = 0;
		for (size_t i = 0; i < digits && id <= UINT32_MAX; i++)
			id = id * 10 + (uint64_t)(text[i] - '0');
		bool known = id && id <= UINT32_MAX && (!lx->cc->probes || probe_by_id(lx->cc->probes, (uint32_t)id));
		if (!known)
			cc_error_hint(lx->cc, n->pos, "D_PDESC_INVAL", "the numbers of probes are listed by -l",
			    "invalid probe identifier %.40s", text);
		for (unsigned i = 0; i < 4; i++)
			n->u.pdesc.names[i] = "";
		n->u.pdesc.id = (uint32_t)id;
		return;
	}
	if (lx->cc->pspec == PS_PROBEID)
		cc_error_hint(lx->cc, n->pos, "D_PDESC_INVAL", "the numbers of probes are listed by -l",
		    "expected the number of a probe before '%.60s'", text);
	split(lx, n, text);
}
