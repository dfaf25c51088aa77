/* printf() and printa() conversions, trace() columns, dumps, print(), JSON text: value in, exact text out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "show/text.h"

#include <stdlib.h>
#include <string.h>

static const struct show plain = {.stackindent = 14};

static struct val
num(int64_t v, unsigned size, bool is_signed)
{
	return (struct val){
	    .kind = DK_INT, .is_signed = is_signed, .size = size, .type = DOBJ_NONE, .num = (uint64_t)v};
}

static struct val
i64(int64_t v)
{
	return num(v, 8, true);
}

static struct val
str(const char *s)
{
	return (struct val){
	    .kind = DK_STRING, .size = (uint32_t)strlen(s) + 1, .type = DOBJ_NONE, .at = s, .len = strlen(s)};
}

static struct val
bytes(const char *s, size_t n)
{
	return (struct val){.kind = DK_BYTES, .size = (uint32_t)n, .type = DOBJ_NONE, .at = s, .len = n};
}

static void
expect(struct sbuf *b, const char *want)
{
	assert_false(b->failed);
	assert_string_equal(b->at ? b->at : "", want);
	sb_free(b);
}

static void
formats(const char *fmt, const struct val *v, unsigned n, const char *want)
{
	struct sbuf b = {0};
	text_format(&b, &plain, NULL, fmt, v, n, NULL, 0);
	if (strcmp(b.at ? b.at : "", want) != 0)
		print_message("format %s\n", fmt);
	expect(&b, want);
}

static void
integers(void **state)
{
	(void)state;
	static const struct {
		const char *fmt;
		int64_t v;
		unsigned size;
		bool is_signed;
		const char *want;
	} rows[] = {
	    {"%d", 42, 8, true, "42"},
	    {"%i", -42, 4, true, "-42"},
	    {"%d", -1, 8, false, "18446744073709551615"},
	    {"%u", -1, 8, true, "18446744073709551615"},
	    {"%u", -1, 4, true, "4294967295"},
	    {"%x", -1, 1, true, "ff"},
	    {"%x", -1, 2, true, "ffff"},
	    {"%X", 0xbeef, 4, true, "BEEF"},
	    {"%#x", 255, 4, true, "0xff"},
	    {"%o", 8, 4, true, "10"},
	    {"%#o", 8, 4, true, "010"},
	    {"%p", 0x7f00, 8, false, "7f00"},
	    {"[%5d]", 42, 4, true, "[   42]"},
	    {"[%-5d]", 42, 4, true, "[42   ]"},
	    {"[%05d]", 42, 4, true, "[00042]"},
	    {"[%+d]", 42, 4, true, "[+42]"},
	    {"[% d]", 42, 4, true, "[ 42]"},
	    {"[%.5d]", 42, 4, true, "[00042]"},
	    {"[%8.3d]", 7, 4, true, "[     007]"},
	    {"%hhd %%", 300, 8, true, "300 %"},
	    {"%lld", INT64_MIN, 8, true, "-9223372036854775808"},
	    {"%jd%zd", 5, 8, true, "50"},
	    {"%c", 'A', 4, true, "A"},
	    {"[%3c]", 'A', 4, true, "[  A]"},
	    {"%C", '\n', 4, true, "\\n"},
	    {"%C", 'x', 4, true, "x"},
	    {"%C", 1, 4, true, "\\001"},
	    {"%wc", 0xe9, 4, true, "\xc3\xa9"},
	    {"%a", 0x1234, 8, false, "0x1234"},
	    {"%A", 0x1234, 8, false, "0x1234"},
	    {"%n%d", 3, 4, true, "3"},
	    {"%f", 3, 8, true, "3.000000"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct val v = num(rows[i].v, rows[i].size, rows[i].is_signed);
		formats(rows[i].fmt, &v, 1, rows[i].want);
	}
}

static void
strings(void **state)
{
	(void)state;
	static const struct {
		const char *fmt, *v, *want;
	} rows[] = {
	    {"%s", "hello", "hello"},
	    {"[%10s]", "hello", "[     hello]"},
	    {"[%-10s]", "hello", "[hello     ]"},
	    {"[%.2s]", "hello", "[he]"},
	    {"[%6.2s]", "hello", "[    he]"},
	    {"[%s]", "", "[]"},
	    {"%S", "a\tb\n\"\\\x01\xff", "a\\tb\\n\\\"\\\\\\001\\377"},
	    {"%I", "127.0.0.1", "127.0.0.1"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct val v = str(rows[i].v);
		formats(rows[i].fmt, &v, 1, rows[i].want);
	}
	struct val v = bytes("abc\0def", 7);
	formats("<%s>", &v, 1, "<abc>");
	static const uint32_t wide[] = {'h', 0x20ac, 0};
	v = bytes((const char *)wide, sizeof wide);
	formats("<%ws>", &v, 1, "<h\xe2\x82\xac>");
}

static void
stars_and_missing(void **state)
{
	(void)state;
	struct val v[] = {num(6, 4, true), num(42, 4, true)};
	formats("[%*d]", v, 2, "[    42]");
	v[0] = num(-6, 4, true);
	formats("[%*d]", v, 2, "[42    ]");
	struct val p[] = {num(3, 4, true), str("hello")};
	formats("[%.*s]", p, 2, "[hel]");
	p[0] = num(-1, 4, true);
	formats("[%.*s]", p, 2, "[hello]");
	formats("%d %s.", NULL, 0, "0 0.");
	formats("100%%", NULL, 0, "100%");
}

static void
times(void **state)
{
	(void)state;
	setenv("TZ", "UTC", 1);
	struct val v = i64(123456789LL * 1000000000);
	formats("%Y", &v, 1, "1973 Nov 29 21:33:09");
	formats("%T", &v, 1, "Thu, 29 Nov 1973 21:33:09 UTC");
	formats("[%22Y]", &v, 1, "[  1973 Nov 29 21:33:09]");
	v = i64(3 * 86400LL * 1000000000);
	formats("%Y", &v, 1, "1970 Jan  4 00:00:00");
	v = i64(-1);
	formats("%Y", &v, 1, "1969 Dec 31 23:59:59");
}

static void
aggregations(void **state)
{
	(void)state;
	struct dobj_agg count = {.fn = AGG_COUNT}, avg = {.fn = AGG_AVG}, dev = {.fn = AGG_STDDEV};
	uint64_t n[] = {7}, a[] = {3, (uint64_t)-30}, d[] = {4, 20, 120, 0};
	struct aggval avs[] = {{&count, n, 1}, {&avg, a, 1}, {&dev, d, 1}};
	struct val key = str("key");
	struct sbuf b = {0};
	text_format(&b, &plain, NULL, "%s %@d %@5d|%@u %@d", &key, 1, avs, 3);
	/* The mean of the squares is 30, the square of the mean 25. */
	expect(&b, "key 7   -10|2 2");
	avs[0].normal = 3;
	text_format(&b, &plain, NULL, "%@d %@d %@x", NULL, 0, avs, 1);
	expect(&b, "2 2 2");
	avs[1].normal = 5;
	text_format(&b, &plain, NULL, "%@d", NULL, 0, &avs[1], 1);
	expect(&b, "-2");
	uint64_t none[4] = {0};
	avs[2].words = none;
	text_format(&b, &plain, NULL, "%@d", NULL, 0, &avs[2], 1);
	expect(&b, "0");
}

static bool
names(void *arg, int64_t pid, uint64_t addr, const char **mod, const char **sym, uint64_t *off)
{
	(void)arg;
	(void)pid;
	if (addr < 0x1000)
		return false;
	*mod = "libx";
	*sym = addr < 0x2000 ? "f" : NULL;
	*off = addr - 0x1000;
	return true;
}

static void
symbols(void **state)
{
	(void)state;
	struct show s = plain;
	s.sym = names;
	s.stackindent = 2;
	uint64_t pcs[] = {0x1000, 0x1010, 0x3000, 0x10, 0, 0x1000};
	struct val st = {.kind = DK_USTACK, .pid = 1, .pcs = pcs, .npcs = 6};
	struct sbuf b = {0};
	text_trace(&b, &s, &st);
	expect(&b, "\n  libx`f\n  libx`f+0x10\n  libx`0x3000\n  0x10\n");
	text_format(&b, &s, NULL, "%k.", &st, 1, NULL, 0);
	expect(&b, "\n  libx`f\n  libx`f+0x10\n  libx`0x3000\n  0x10\n.");
	struct val sym = {.kind = DK_USYM, .num = 0x1010};
	text_format(&b, &s, NULL, "[%10A]", &sym, 1, NULL, 0);
	expect(&b, "[    libx`f]");
	sym.kind = DK_UMOD;
	text_format(&b, &s, NULL, "%A", &sym, 1, NULL, 0);
	expect(&b, "libx");
	sym.kind = DK_UADDR;
	text_format(&b, &s, NULL, "%A", &sym, 1, NULL, 0);
	expect(&b, "libx`f+0x10");
}

static void
columns(void **state)
{
	(void)state;
	struct show quiet = plain;
	quiet.quiet = true;
	static const struct {
		int64_t v;
		unsigned size;
		const char *want, *key;
	} rows[] = {
	    {1, 1, "   1", "   1"},
	    {-1, 2, "    -1", " 65535"},
	    {1, 4, "        1", "        1"},
	    {-5, 8, "               -5", "               -5"},
	};
	struct sbuf b = {0};
	for (size_t i = 0; i < 4; i++) {
		struct val v = num(rows[i].v, rows[i].size, true);
		text_trace(&b, &plain, &v);
		expect(&b, rows[i].want);
		text_key(&b, &plain, &v, false);
		expect(&b, rows[i].key);
	}
	struct val v = i64(-5);
	text_trace(&b, &quiet, &v);
	expect(&b, "-5");
	v = str("hi");
	text_trace(&b, &plain, &v);
	expect(&b, "  hi                               ");
	text_trace(&b, &quiet, &v);
	expect(&b, "hi");
	text_key(&b, &plain, &v, false);
	expect(&b, "  hi                                                ");
	text_key(&b, &plain, &v, true);
	expect(&b, "               hi");
	v = str("");
	text_trace(&b, &quiet, &v);
	expect(&b, "");
}

static void
dumps(void **state)
{
	(void)state;
	struct sbuf b = {0};
	struct val v = bytes("\1\2\3ABCDEFGHIJKLMNOP", 19);
	text_trace(&b, &plain, &v);
	expect(&b, "\n"
		   "             0  1  2  3  4  5  6  7  8  9  a  b  c  d  e  f  0123456789abcdef\n"
		   "         0: 01 02 03 41 42 43 44 45 46 47 48 49 4a 4b 4c 4d  ...ABCDEFGHIJKLM\n"
		   "        10: 4e 4f 50                                         NOP\n");
	v = bytes("text\0\0\0", 7);
	text_trace(&b, &plain, &v);
	expect(&b, "  text                             ");
	struct show raw = plain;
	raw.rawbytes = true;
	v = str("ab");
	text_trace(&b, &raw, &v);
	assert_non_null(strstr(b.at, "0: 61 62 00 "));
	sb_free(&b);
	text_dump(&b, "", 0);
	expect(&b, "");
}

/* struct p { int x; char name[4]; enum e e; unsigned b : 3; struct q q[2]; void *p; } */
static const char type_strs[] =
    "\0int\0char\0char [4]\0enum e\0RED\0GREEN\0struct q\0struct q [2]\0void *\0struct p\0x\0name\0e\0b\0q\0p\0n\0string";
static uint32_t
off(const char *s)
{
	for (size_t i = 1; i < sizeof type_strs; i += strlen(type_strs + i) + 1)
		if (strcmp(type_strs + i, s) == 0)
			return (uint32_t)i;
	fail_msg("no string %s", s);
	return 0;
}

static void
typed(void **state)
{
	(void)state;
	struct dobj_type types[] = {
	    {.kind = DT_INT, .name = off("int"), .size = 4, .is_signed = 1},
	    {.kind = DT_INT, .name = off("char"), .size = 1, .is_signed = 1},
	    {.kind = DT_ARRAY, .name = off("char [4]"), .size = 4, .ref = 1, .nelems = 4},
	    {.kind = DT_ENUM, .name = off("enum e"), .size = 4, .is_signed = 1, .member = 0, .nmembers = 2},
	    {.kind = DT_STRUCT, .name = off("struct q"), .size = 4, .member = 2, .nmembers = 1},
	    {.kind = DT_ARRAY, .name = off("struct q [2]"), .size = 8, .ref = 4, .nelems = 2},
	    {.kind = DT_PTR, .name = off("void *"), .size = 8},
	    {.kind = DT_STRUCT, .name = off("struct p"), .size = 32, .member = 3, .nmembers = 6},
	    {.kind = DT_STRING, .name = off("string")},
	};
	struct dobj_member members[] = {
	    {.name = off("RED"), .value = 0},
	    {.name = off("GREEN"), .value = 1},
	    {.name = off("n"), .type = 0, .offset = 0},
	    {.name = off("x"), .type = 0, .offset = 0},
	    {.name = off("name"), .type = 2, .offset = 32},
	    {.name = off("e"), .type = 3, .offset = 64},
	    {.name = off("b"), .type = 0, .offset = 96, .bits = 3},
	    {.name = off("q"), .type = 5, .offset = 128},
	    {.name = off("p"), .type = 6, .offset = 192},
	};
	struct dobj o = {.types = types, .ntypes = 9, .members = members, .nmembers = 9};
	o.strs = (char *)(uintptr_t)type_strs;
	o.nstrs = sizeof type_strs;
	static const char data[32] = {
	    42, 0, 0, 0, 'u', 'p', 0, 0, 1, 0, 0, 0, 5, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 0x10, 0x20};
	struct val v = bytes(data, sizeof data);
	struct sbuf b = {0};
	text_typed(&b, &plain, &o, 7, &v);
	expect(&b, "struct p {\n"
		   "    int x = 0x2a\n"
		   "    char [4] name = [ \"up\" ]\n"
		   "    enum e e = GREEN\n"
		   "    int b :3 = 0x5\n"
		   "    struct q [2] q = [ \n"
		   "        struct q {\n"
		   "            int n = 0x1\n"
		   "        }, \n"
		   "        struct q {\n"
		   "            int n = 0x2\n"
		   "        }\n"
		   "    ]\n"
		   "    void *p = 0x2010\n"
		   "}");
	v = num(42, 4, true);
	v.at = data;
	text_typed(&b, &plain, &o, 0, &v);
	expect(&b, "int 0x2a\n");
	v = str("foo");
	text_typed(&b, &plain, &o, 8, &v);
	expect(&b, "string \"foo\"\n");
	v = bytes(data + 4, 4);
	text_typed(&b, &plain, &o, 2, &v);
	expect(&b, "char [4] \"up\"\n");
	/* Too little data for the type: zeroes, never a read past the end. */
	char *little = malloc(4);
	memcpy(little, data, 4);
	v = bytes(little, 4);
	text_typed(&b, &plain, &o, 7, &v);
	assert_non_null(strstr(b.at, "int x = 0x2a"));
	assert_non_null(strstr(b.at, "void *p = 0"));
	sb_free(&b);
	text_typed(&b, &plain, &o, 99, &v);
	assert_true(b.len > 0);
	sb_free(&b);
	free(little);
}

static void
json(void **state)
{
	(void)state;
	struct sbuf b = {0};
	static const char text[] = "a\"\\\n\x01\x7f\xc3\xa9\xff\xe2\x82\xf0\x9f\x98\x80\xed\xa0\x80";
	json_quote(&b, text, sizeof text - 1);
	expect(&b, "\"a\\\"\\\\\\n\\u0001\\u007f\xc3\xa9\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xf0\x9f\x98\x80"
		   "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"");
	struct val v = num(-1, 8, false);
	json_value(&b, &plain, &v);
	expect(&b, "18446744073709551615");
	v = bytes("\x01\xab", 2);
	json_value(&b, &plain, &v);
	expect(&b, "{\"bytes\":\"01ab\"}");
	uint64_t pcs[] = {1, 2};
	v = (struct val){.kind = DK_STACK, .pcs = pcs, .npcs = 2};
	json_value(&b, &plain, &v);
	expect(&b, "{\"stack\":[\"0x1\",\"0x2\"]}");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(integers),
	    cmocka_unit_test(strings),
	    cmocka_unit_test(stars_and_missing),
	    cmocka_unit_test(times),
	    cmocka_unit_test(aggregations),
	    cmocka_unit_test(symbols),
	    cmocka_unit_test(columns),
	    cmocka_unit_test(dumps),
	    cmocka_unit_test(typed),
	    cmocka_unit_test(json),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
