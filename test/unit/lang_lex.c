/* The lexer: tokens, literals, macros, comments, places, and what is refused. */
#include "lang.h"

#include <stdio.h>

static struct fix fx;

/* All tokens as text: "5 5ul str ident(x) agg(a) ';'"; an error as its tag. */
static char *
lex_text_n(const char *text, size_t len)
{
	static char out[4096];
	struct cc *cc = fix_cc(&fx, text, len);
	if (setjmp(fx.fail)) {
		snprintf(out, sizeof out, "%s", fx.diag.tag ? fx.diag.tag : "no memory");
		return out;
	}
	struct lexer *lx = AR_NEW(cc->ar, struct lexer);
	lex_open(lx, cc);
	char *at = out;
	*at = '\0';
	for (struct token t;;) {
		lex_next(lx, &t);
		size_t room = sizeof out - (size_t)(at - out);
		if (t.kind == TK_EOF)
			break;
		const char *gap = at > out ? " " : "";
		int n;
		switch (t.kind) {
		case TK_INT:
			n = snprintf(at, room, "%s%llu%s%s", gap, (unsigned long long)t.num, t.is_unsigned ? "u" : "",
			    t.is_long ? "l" : "");
			break;
		case TK_STR:
			n = snprintf(at, room, "%s\"%.*s\"", gap, (int)t.len, t.text);
			break;
		case TK_IDENT:
			n = snprintf(at, room, "%sident(%.*s)", gap, t.len > 50 ? 50 : (int)t.len, t.text);
			break;
		case TK_AGG:
			n = snprintf(at, room, "%sagg(%.*s)", gap, (int)t.len, t.text);
			break;
		default:
			n = snprintf(at, room, "%s%s", gap, tok_text(t.kind));
		}
		assert_true((size_t)n < room);
		at += n;
	}
	return out;
}

static char *
lex_text(const char *text)
{
	return lex_text_n(text, strlen(text));
}

static void
integers(void **state)
{
	(void)state;
	assert_string_equal(lex_text("0 1 017 0x1F 0b101 42"), "0 1 15 31 5 42");
	assert_string_equal(lex_text("1u 1l 1ul 1LL 1ULL 1lu"), "1u 1l 1ul 1l 1ul 1ul");
	/* Decimal: int, long. Hexadecimal and octal: unsigned in between. */
	assert_string_equal(lex_text("2147483647 2147483648 4294967296"), "2147483647 2147483648l 4294967296l");
	assert_string_equal(lex_text("0x7fffffff 0x80000000 0x100000000"), "2147483647 2147483648u 4294967296l");
	assert_string_equal(lex_text("0xffffffffffffffff"), "18446744073709551615ul");
	assert_string_equal(lex_text("9223372036854775807"), "9223372036854775807l");
	assert_string_equal(lex_text("18446744073709551615u"), "18446744073709551615ul");
	assert_string_equal(lex_text("9223372036854775808"), "D_INT_OFLOW");
	assert_string_equal(lex_text("18446744073709551616u"), "D_INT_OFLOW");
	assert_string_equal(lex_text("0x10000000000000000"), "D_INT_OFLOW");
	assert_string_equal(lex_text("09"), "D_INT_DIGIT");
	assert_string_equal(lex_text("0b12"), "D_INT_DIGIT");
	assert_string_equal(lex_text("0x"), "D_INT_DIGIT");
	assert_string_equal(lex_text("12abc"), "D_SYNTAX");
	assert_string_equal(lex_text("1ulll"), "D_SYNTAX");
	assert_string_equal(lex_text("1.5"), "D_SYNTAX");
	assert_string_equal(lex_text(".5"), "D_SYNTAX");
	assert_string_equal(lex_text("1e5"), "D_SYNTAX");
}

static void
strings(void **state)
{
	(void)state;
	assert_string_equal(lex_text("\"\" \"a b\" \"x\\ty\""), "\"\" \"a b\" \"x\ty\"");
	assert_string_equal(lex_text("\"\\\"q\\\"\""), "\"\"q\"\"");
	assert_string_equal(lex_text("\"\\101\\x42 \\x4243\""), "\"AB C\"");
	assert_string_equal(lex_text("\"a\\0b\""), "\"a\"");
	assert_string_equal(lex_text("\"gr\303\274n\""), "\"gr\303\274n\"");
	assert_string_equal(lex_text("\"a\nb\""), "D_STR_NL");
	assert_string_equal(lex_text("\"a\\\nb\""), "D_STR_NL");
	assert_string_equal(lex_text("\"never ends"), "D_SYNTAX");
	assert_string_equal(lex_text_n("\"a\0b\"", 5), "D_SYNTAX");
}

static void
characters(void **state)
{
	(void)state;
	assert_string_equal(lex_text("'a' '\\n' '\\0' '\\'' '\"'"), "97 10 0 23591 34");
	/* As DTrace: what is no escape keeps its backslash. */
	assert_string_equal(lex_text("'\\'' '\\q'"), "23591 23665");
	assert_string_equal(lex_text("'\\377' '\\xff'"), "255 255");
	assert_string_equal(lex_text("'ab' 'abcd' 'hello'"), "24930 1633837924 448378203247l");
	assert_string_equal(lex_text("'abcdefgh'"), "7017280452245743464l");
	assert_string_equal(lex_text("'abcdefghi'"), "D_CHR_OFLOW");
	assert_string_equal(lex_text("''"), "D_CHR_NULL");
	assert_string_equal(lex_text("'a\n'"), "D_CHR_NL");
	assert_string_equal(lex_text("'a"), "D_SYNTAX");
}

static void
names(void **state)
{
	(void)state;
	assert_string_equal(lex_text("x _y1 whilex"), "ident(x) ident(_y1) ident(whilex)");
	assert_string_equal(lex_text("while self this translator"), "'while' 'self' 'this' 'translator'");
	assert_string_equal(lex_text("vmlinux`jiffies `x"), "ident(vmlinux`jiffies) ident(`x)");
	assert_string_equal(lex_text("@ @_ @a[1]"), "agg() agg() agg(a) '[' 1 ']'");
	/* After . and -> a reserved word is a name. */
	assert_string_equal(lex_text("a->default.for for"), "ident(a) '->' ident(default) '.' ident(for) 'for'");
}

static void
punctuation(void **state)
{
	(void)state;
	assert_string_equal(lex_text("<<= >>= ... ->++ -- ^^ ^= a<<b"),
	    "'<<=' '>>=' '...' '->' '++' '--' '^^' '^=' ident(a) '<<' ident(b)");
	assert_string_equal(lex_text("a / b /= c"), "ident(a) '/' ident(b) '/=' ident(c)");
	assert_string_equal(lex_text("?"), "'?'");
	assert_string_equal(lex_text("\x01"), "D_SYNTAX");
	assert_string_equal(lex_text("\xff"), "D_SYNTAX");
	assert_string_equal(lex_text_n("\0", 1), "D_SYNTAX");
	assert_string_equal(lex_text("a # b"), "D_SYNTAX");
}

static void
comments(void **state)
{
	(void)state;
	assert_string_equal(lex_text("a /* b\nc */ d // e /* f\ng"), "ident(a) ident(d) ident(g)");
	assert_string_equal(lex_text("a //"), "ident(a)");
	assert_string_equal(lex_text("a \\\n b"), "ident(a) ident(b)");
	assert_string_equal(lex_text("/* a"), "D_SYNTAX");
	assert_string_equal(lex_text("/* a /* b */"), "D_SYNTAX");
	assert_string_equal(lex_text("#!/usr/bin/erltrace -s\nx"), "ident(x)");
}

static void
macros(void **state)
{
	(void)state;
	static const char *const argv[] = {"name.d", "12", "foo", "-5", "a b", "\"q\"", "99999999999999999999", "0x10"};
	fx.argc = 8;
	fx.argv = argv;
	assert_string_equal(lex_text("$1 $2 $$1 $$2"), "12 ident(foo) \"12\" \"foo\"");
	assert_string_equal(lex_text("$3"), "18446744073709551611");
	assert_string_equal(lex_text("$4 $5 $7"), "\"a b\" \"q\" 16");
	assert_string_equal(lex_text("$$0"), "\"name.d\"");
	assert_string_equal(lex_text("$6"), "D_MACRO_OFLOW");
	assert_string_equal(lex_text("$8"), "D_MACRO_UNDEF");
	assert_string_equal(lex_text("$99999999999999999999"), "D_MACRO_UNDEF");
	assert_string_equal(lex_text("$nosuch"), "D_MACRO_UNDEF");
	assert_string_equal(lex_text("$"), "D_SYNTAX");
	fx.opts.num[OPT_DEFAULTARGS] = 1;
	assert_string_equal(lex_text("$8 $$8"), "0 \"\"");
	fx.opts.num[OPT_DEFAULTARGS] = 0;
	fx.target = 77;
	assert_string_equal(lex_text("$target $$target"), "77 \"77\"");
	fx.argc = 0;
}

static void
places(void **state)
{
	(void)state;
	static const char text[] = "a\n  bb /* x\n */ c\n# 40 \"inc.h\"\nd\n";
	struct cc *cc = fix_cc(&fx, text, sizeof text - 1);
	assert_int_equal(setjmp(fx.fail), 0);
	struct lexer *lx = AR_NEW(cc->ar, struct lexer);
	struct token t;
	lex_open(lx, cc);
	lex_next(lx, &t);
	assert_int_equal(t.pos.line, 1);
	assert_int_equal(t.pos.col, 1);
	lex_next(lx, &t);
	assert_int_equal(t.pos.line, 2);
	assert_int_equal(t.pos.col, 3);
	assert_int_equal(t.pos.len, 2);
	assert_int_equal(t.pos.off, 4);
	lex_next(lx, &t);
	assert_int_equal(t.pos.line, 3);
	assert_int_equal(t.pos.col, 5);
	assert_string_equal(t.pos.file, "t.d");
	lex_next(lx, &t);
	assert_int_equal(t.pos.line, 40);
	assert_string_equal(t.pos.file, "inc.h");
}

static void
words_are_sorted(void **state)
{
	(void)state;
	static const char *const words[] = {
#define X(id, text) text,
	    LEX_WORDS(X)
#undef X
	};
	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
		assert_true(i == 0 || strcmp(words[i - 1], words[i]) < 0);
		assert_int_not_equal(lex_word(words[i], strlen(words[i])), TK_IDENT);
	}
}

static int
open_fx(void **state)
{
	(void)state;
	fix_open(&fx);
	return 0;
}

static int
close_fx(void **state)
{
	(void)state;
	fix_close(&fx);
	return 0;
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(integers),
	    cmocka_unit_test(strings),
	    cmocka_unit_test(characters),
	    cmocka_unit_test(names),
	    cmocka_unit_test(punctuation),
	    cmocka_unit_test(comments),
	    cmocka_unit_test(macros),
	    cmocka_unit_test(places),
	    cmocka_unit_test(words_are_sorted),
	};
	return cmocka_run_group_tests(tests, open_fx, close_fx);
}
