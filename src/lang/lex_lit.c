/* Numbers, strings, character constants and macro variables. */
#include "lang/lang.h"
#include "lang/lex.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* How much of a literal a message shows, because it may have any length. */
static int
shown(size_t len)
{
	return len > 80 ? 80 : (int)len;
}

static int
digit_value(char c)
{
	return lex_is_digit(c)        ? c - '0'
	       : c >= 'a' && c <= 'f' ? c - 'a' + 10
	       : c >= 'A' && c <= 'F' ? c - 'A' + 10
				      : 99;
}

enum number { NUM_OK, NUM_OFLOW, NUM_DIGIT, NUM_FLOAT, NUM_SUFFIX };

/* Reads an integer literal of exactly n bytes. *bad is set to the wrong byte. */
static enum number
read_number(const char *s, size_t n, struct token *t, char *bad)
{
	unsigned base = 10;
	size_t i = 0;
	if (n > 1 && s[0] == '0' && (s[1] == 'x' || s[1] == 'X')) {
		base = 16;
		i = 2;
	} else if (n > 1 && s[0] == '0' && (s[1] == 'b' || s[1] == 'B')) {
		base = 2;
		i = 2;
	} else if (s[0] == '0')
		base = 8;
	if (s[0] == '.')
		return NUM_FLOAT;
	size_t first = i;
	uint64_t v = 0;
	bool overflow = false;
	for (; i < n; i++) {
		unsigned d = (unsigned)digit_value(s[i]);
		if (base != 16 && d >= 10)
			break;
		if (d >= base) {
			*bad = s[i];
			if (base == 16)
				break;
			return memchr(s, '.', n) ? NUM_FLOAT : NUM_DIGIT;
		}
		overflow |= v > (UINT64_MAX - d) / base;
		v = v * base + d;
	}
	if (i == first) {
		*bad = i < n ? s[i] : s[n - 1];
		return NUM_DIGIT;
	}
	bool is_unsigned = false, is_long = false;
	size_t j = i;
	if (j < n && (s[j] == 'u' || s[j] == 'U')) {
		is_unsigned = true;
		j++;
	}
	for (int l = 0; l < 2 && j < n && (s[j] == 'l' || s[j] == 'L'); l++) {
		is_long = true;
		j++;
	}
	if (!is_unsigned && j < n && (s[j] == 'u' || s[j] == 'U')) {
		is_unsigned = true;
		j++;
	}
	if (j < n) {
		*bad = s[i];
		if (base != 16 && (s[i] == '.' || s[i] == 'e' || s[i] == 'E'))
			return NUM_FLOAT;
		return NUM_SUFFIX;
	}
	if (overflow)
		return NUM_OFLOW;
	/* C's rule: the first type that holds the value. A decimal literal is unsigned only if it has the suffix. */
	if (v > INT64_MAX && base == 10 && !is_unsigned)
		return NUM_OFLOW;
	if (v > INT64_MAX)
		is_unsigned = true;
	if (!is_long && v > UINT32_MAX)
		is_long = true;
	if (!is_long && !is_unsigned && v > INT32_MAX) {
		if (base == 10)
			is_long = true;
		else
			is_unsigned = true;
	}
	t->kind = TK_INT;
	t->num = v;
	t->is_unsigned = is_unsigned;
	t->is_long = is_long;
	return NUM_OK;
}

void
lex_number(struct lexer *lx, struct token *t)
{
	const char *s = lx->text + lx->at;
	uint32_t n = 0, room = lx->len - lx->at;
	while (n < room && (lex_is_name(s[n]) || s[n] == '.'))
		n++;
	struct pos pos = lex_pos(lx, lx->at, n);
	char bad = '\0';
	enum number r = read_number(s, n, t, &bad);
	lx->at += n;
	int show = shown(n);
	switch (r) {
	case NUM_OK:
		break;
	case NUM_OFLOW:
		cc_error(lx->cc, pos, "D_INT_OFLOW", "constant %.*s results in integer overflow", show, s);
	case NUM_DIGIT:
		cc_error(lx->cc, pos, "D_INT_DIGIT", "constant %.*s contains invalid digit %c", show, s, bad);
	case NUM_SUFFIX:
		cc_error_hint(lx->cc, pos, "D_SYNTAX",
		    "a name begins with a letter or _; suffixes of numbers are u, l, ul, ll and ull",
		    "expected a number or a name before '%.*s'", show, s);
	case NUM_FLOAT:
		cc_error(lx->cc, pos, "D_SYNTAX", "floating-point constants are not permitted");
	}
}

size_t
lex_escapes(struct lexer *lx, const char *s, size_t n, char *out, struct pos pos)
{
	static const char from[] = "abfnrtv\\\"", to[] = "\a\b\f\n\r\t\v\\\"";
	size_t made = 0;
	for (size_t i = 0; i < n; i++) {
		if (s[i] != '\\') {
			out[made++] = s[i];
			continue;
		}
		if (++i == n)
			cc_error(lx->cc, pos, "D_ESC_BAD", "a backslash ends the text; write \\\\ for a backslash");
		const char *p = s[i] ? strchr(from, s[i]) : NULL;
		if (p) {
			out[made++] = to[p - from];
		} else if (s[i] >= '0' && s[i] <= '7') {
			unsigned v = 0;
			size_t j = i;
			while (j < n && j < i + 3 && s[j] >= '0' && s[j] <= '7')
				v = v * 8 + (unsigned)(s[j++] - '0');
			out[made++] = (char)(unsigned char)v;
			i = j - 1;
		} else if (s[i] == 'x' && i + 1 < n && digit_value(s[i + 1]) < 16) {
			/* As in C all hexadecimal digits that follow are read, and the last two count. */
			unsigned v = 0;
			size_t j = i + 1;
			while (j < n && digit_value(s[j]) < 16)
				v = v * 16 + (unsigned)digit_value(s[j++]);
			out[made++] = (char)(unsigned char)v;
			i = j - 1;
		} else {
			/* As DTrace: an escape that means nothing keeps its backslash, \' and \? too. */
			out[made++] = '\\';
			out[made++] = s[i];
		}
	}
	out[made] = '\0';
	return made;
}

/* The end of a quoted text that begins at lx->at: the offset of the closing quote. */
static uint32_t
quoted_end(struct lexer *lx, char quote, const char *nl_tag, const char *what)
{
	uint32_t i = lx->at + 1;
	for (; i < lx->len && lx->text[i] != quote; i++) {
		char c = lx->text[i];
		if (c == '\\' && i + 1 < lx->len && lx->text[i + 1] != '\n')
			c = lx->text[++i];
		if (c == '\n')
			cc_error(lx->cc, lex_pos(lx, lx->at, i - lx->at), nl_tag, "newline encountered in %s", what);
		if (c == '\0')
			cc_error(lx->cc, lex_pos(lx, i, 1), "D_SYNTAX", "NUL byte in %s", what);
	}
	if (i >= lx->len)
		cc_error(
		    lx->cc, lex_pos(lx, lx->at, lx->len - lx->at), "D_SYNTAX", "end-of-file encountered in %s", what);
	return i;
}

void
lex_string(struct lexer *lx, struct token *t)
{
	uint32_t end = quoted_end(lx, '"', "D_STR_NL", "string literal"), n = end - lx->at - 1;
	const char *s = lx->text + lx->at + 1;
	char *out = ar_alloc(lx->cc->ar, (size_t)n + 1);
	size_t made;
	if (memchr(s, '\\', n))
		made = lex_escapes(lx, s, n, out, lex_pos(lx, lx->at, n + 2));
	else {
		memcpy(out, s, n);
		made = n;
	}
	/* "\0" ends a string in D as in C. */
	t->kind = TK_STR;
	t->text = out;
	t->len = (uint32_t)strnlen(out, made);
	lx->at = end + 1;
}

void
lex_char(struct lexer *lx, struct token *t)
{
	uint32_t end = quoted_end(lx, '\'', "D_CHR_NL", "character constant"), n = end - lx->at - 1;
	struct pos pos = lex_pos(lx, lx->at, n + 2);
	if (n == 0)
		cc_error(lx->cc, pos, "D_CHR_NULL", "empty character constant");
	/* Eight bytes, each at most four characters of escape. */
	char out[33];
	size_t made = n <= 32 ? lex_escapes(lx, lx->text + lx->at + 1, n, out, pos) : 99;
	if (made > 8)
		cc_error_hint(lx->cc, pos, "D_CHR_OFLOW", "a string is written in double quotes",
		    "character constant is too long");
	uint64_t v = 0;
	for (size_t i = 0; i < made; i++)
		v = v << 8 | (unsigned char)out[i];
	t->kind = TK_INT;
	t->num = v;
	t->is_long = v > INT32_MAX;
	t->is_unsigned = v > INT64_MAX;
	lx->at = end + 1;
}

/* Finds the value of a macro variable that is a number. Returns false if there is none of this name. */
static bool
macro_number(const struct cc *cc, const char *name, size_t len, int64_t *v)
{
	static const char *const names[] = {
	    "egid", "euid", "gid", "pid", "pgid", "ppid", "projid", "sid", "target", "taskid", "uid"};
	const int64_t values[] = {getegid(), geteuid(), getgid(), getpid(), getpgid(0), getppid(), 0, getsid(0),
	    cc->target < 0 ? 0 : cc->target, 0, getuid()};
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		if (strlen(names[i]) == len && memcmp(names[i], name, len) == 0) {
			*v = values[i];
			return true;
		}
	}
	return false;
}

/* Returns the argument with this number (n digits), or NULL if it is missing and defaultargs allows that. */
static const char *
macro_arg(struct lexer *lx, const char *digits, size_t n, struct pos pos)
{
	struct cc *cc = lx->cc;
	int i = 0;
	for (size_t k = 0; k < n; k++)
		i = i > INT_MAX / 10 - 10 ? INT_MAX / 10 - 10 : i * 10 + (digits[k] - '0');
	if (i < cc->argc) {
		if (cc->arg_used)
			cc->arg_used[i] = true;
		return cc->argv[i];
	}
	if (cc->opts->num[OPT_DEFAULTARGS])
		return NULL;
	cc_error_hint(cc, pos, "D_MACRO_UNDEF", "give it after the program, or set option defaultargs to use 0 or \"\"",
	    "macro argument $%.*s is not defined", shown(n), digits);
}

const char *
lex_macro_text(struct lexer *lx, const char *name, size_t len, struct pos pos)
{
	int64_t v;
	if (lex_is_digit(name[0]))
		return macro_arg(lx, name, len, pos);
	if (!macro_number(lx->cc, name, len, &v))
		cc_error_hint(lx->cc, pos, "D_MACRO_UNDEF",
		    "macro variables are $0 $1 ... $egid $euid $gid $pid $pgid $ppid $projid $sid $target $taskid $uid",
		    "macro variable $%.*s is not defined", shown(len), name);
	return ar_printf(lx->cc->ar, "%lld", (long long)v);
}

static bool
is_word(const char *s)
{
	if (!lex_is_name_start(*s))
		return false;
	while (lex_is_name(*s) || *s == '`')
		s++;
	return *s == '\0';
}

/* Makes a string token from a macro's text: resolves escapes and removes quotes around it. */
static void
macro_string(struct lexer *lx, struct token *t, const char *s, bool strip)
{
	size_t n = strlen(s);
	if (strip && n > 1 && s[0] == '"' && s[n - 1] == '"') {
		s++;
		n -= 2;
	}
	char *out = ar_alloc(lx->cc->ar, n + 1);
	size_t made = lex_escapes(lx, s, n, out, t->pos);
	t->kind = TK_STR;
	t->text = out;
	t->len = (uint32_t)strnlen(out, made);
}

/* $1 becomes the argument's text: a number, a name, or otherwise a string. */
static void
macro_token(struct lexer *lx, struct token *t, const char *s)
{
	size_t n = strlen(s);
	const char *digits = *s == '-' || *s == '+' ? s + 1 : s;
	if (is_word(s)) {
		t->text = s;
		t->len = (uint32_t)n;
		t->kind = lx->after_member ? TK_IDENT : lex_word(s, n);
		return;
	}
	char bad;
	enum number r = lex_is_digit(*digits) ? read_number(digits, n - (size_t)(digits - s), t, &bad) : NUM_DIGIT;
	if (r == NUM_OFLOW)
		cc_error(lx->cc, t->pos, "D_MACRO_OFLOW", "macro argument constant %.*s results in integer overflow",
		    shown(n), s);
	if (r != NUM_OK) {
		macro_string(lx, t, s, true);
		return;
	}
	if (*s == '-')
		t->num = 0 - t->num;
}

void
lex_macro(struct lexer *lx, struct token *t)
{
	uint32_t from = lx->at;
	bool is_string = from + 1 < lx->len && lx->text[from + 1] == '$';
	uint32_t name = from + 1 + is_string, i = name;
	if (i < lx->len && lex_is_digit(lx->text[i]))
		while (i < lx->len && lex_is_digit(lx->text[i]))
			i++;
	else
		while (i < lx->len && lex_is_name(lx->text[i]))
			i++;
	t->pos = lex_pos(lx, from, i - from);
	if (i == name)
		cc_error(
		    lx->cc, t->pos, "D_SYNTAX", "syntax error near \"$\": a macro variable has a name or a number");
	lx->at = i;
	const char *s = lex_macro_text(lx, lx->text + name, i - name, t->pos);
	if (is_string)
		macro_string(lx, t, s ? s : "", false);
	else
		macro_token(lx, t, s ? s : "0");
}
