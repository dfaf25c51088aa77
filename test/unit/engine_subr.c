/* Subroutines: results and corner cases. One table for each shape of operands. */
#include "eng.h"

#include <arpa/inet.h>
#include <signal.h>
#include <unistd.h>

static struct as a;

#define NUL ((const char *)-1) /* the NULL pointer as an operand */

static void
operand(int32_t slot, const char *s)
{
	as_slot(&a, slot, s == NUL ? 0 : DIF_ADDR(DIF_R_CONST, as_str(&a, s)));
}

static void
start(void)
{
	as_init(&a);
	as_clause(&a);
}

/* ---- string in, string out ---- */

static void
test_string_of_string(void **st)
{
	(void)st;
	static const struct {
		int32_t subr;
		const char *in, *out;
	} cases[] = {
	    {DIF_SUBR_BASENAME, "/foo/bar", "bar"},
	    {DIF_SUBR_BASENAME, "/foo/bar///", "bar"},
	    {DIF_SUBR_BASENAME, "foo", "foo"},
	    {DIF_SUBR_BASENAME, "/", "/"},
	    {DIF_SUBR_BASENAME, "////", "/"},
	    {DIF_SUBR_BASENAME, "", "."},
	    {DIF_SUBR_BASENAME, "a/.", "."},
	    {DIF_SUBR_DIRNAME, "/foo/bar", "/foo"},
	    {DIF_SUBR_DIRNAME, "/foo//bar//", "/foo"},
	    {DIF_SUBR_DIRNAME, "/foo", "/"},
	    {DIF_SUBR_DIRNAME, "//foo", "/"},
	    {DIF_SUBR_DIRNAME, "foo", "."},
	    {DIF_SUBR_DIRNAME, "foo/", "."},
	    {DIF_SUBR_DIRNAME, "/", "/"},
	    {DIF_SUBR_DIRNAME, "", "."},
	    {DIF_SUBR_DIRNAME, "a/b/c", "a/b"},
	    {DIF_SUBR_CLEANPATH, "/foo//./bar/../baz/", "/foo/baz"},
	    {DIF_SUBR_CLEANPATH, "", ""},
	    {DIF_SUBR_CLEANPATH, ".", "."},
	    {DIF_SUBR_CLEANPATH, "./", "."},
	    {DIF_SUBR_CLEANPATH, "./a", "a"},
	    {DIF_SUBR_CLEANPATH, "//", "/"},
	    {DIF_SUBR_CLEANPATH, "/..", "/"},
	    {DIF_SUBR_CLEANPATH, "/../../a", "/a"},
	    {DIF_SUBR_CLEANPATH, "../..", "../.."},
	    {DIF_SUBR_CLEANPATH, "a/..", "."},
	    {DIF_SUBR_CLEANPATH, "a/../..", ".."},
	    {DIF_SUBR_CLEANPATH, "a/../b", "b"},
	    {DIF_SUBR_CLEANPATH, "../a/..", ".."},
	    {DIF_SUBR_CLEANPATH, "a/b/../c", "a/c"},
	    {DIF_SUBR_CLEANPATH, "/a/..b/...", "/a/..b/..."},
	    {DIF_SUBR_CLEANPATH, "..a/..", "."},
	    {DIF_SUBR_CLEANPATH, "a../../b", "b"},
	    {DIF_SUBR_TOLOWER, "ABCxyz@[1", "abcxyz@[1"},
	    {DIF_SUBR_TOUPPER, "abcXYZ`{1", "ABCXYZ`{1"},
	    {DIF_SUBR_STRDUP_SCRATCH, "text", "text"},
	    {DIF_SUBR_COPYINSTR, "text", "text"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		start();
		operand(0, cases[i].in);
		as_op(&a, DIF_CALL, 0, 0, 1, cases[i].subr);
		struct outcome o = outcome(&a, DK_STRING);
		assert_int_equal(o.fault, -1);
		assert_string_equal(o.text, cases[i].out);
	}
}

/* ---- two strings and perhaps a number ---- */

static void
test_positions(void **st)
{
	(void)st;
	enum { NONE = 1 << 20 };
	static const struct {
		int32_t subr;
		const char *s, *t;
		int pos, want;
	} cases[] = {
	    {DIF_SUBR_INDEX, "abcabc", "bc", NONE, 1},
	    {DIF_SUBR_INDEX, "abcabc", "bc", 2, 4},
	    {DIF_SUBR_INDEX, "abcabc", "bc", 5, -1},
	    {DIF_SUBR_INDEX, "abcabc", "bc", -5, 1},
	    {DIF_SUBR_INDEX, "abc", "x", NONE, -1},
	    {DIF_SUBR_INDEX, "abc", "abcd", NONE, -1},
	    {DIF_SUBR_INDEX, "abc", "", NONE, 0},
	    {DIF_SUBR_INDEX, "abc", "", 2, 2},
	    {DIF_SUBR_INDEX, "abc", "", 100, 3},
	    {DIF_SUBR_INDEX, "", "", 5, 0},
	    {DIF_SUBR_INDEX, "", "a", NONE, -1},
	    {DIF_SUBR_RINDEX, "abcabc", "bc", NONE, 4},
	    {DIF_SUBR_RINDEX, "abcabc", "bc", 3, 1},
	    {DIF_SUBR_RINDEX, "abcabc", "bc", 4, 4},
	    {DIF_SUBR_RINDEX, "abcabc", "bc", 0, -1},
	    {DIF_SUBR_RINDEX, "abcabc", "abc", 0, 0},
	    {DIF_SUBR_RINDEX, "abcabc", "bc", -1, -1},
	    {DIF_SUBR_RINDEX, "abc", "", NONE, 3},
	    {DIF_SUBR_RINDEX, "abc", "", -1, 0},
	    {DIF_SUBR_RINDEX, "abc", "", 100, 3},
	    {DIF_SUBR_RINDEX, "", "", -3, 0},
	    {DIF_SUBR_RINDEX, "a", "aa", NONE, -1},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		start();
		operand(0, cases[i].s);
		operand(1, cases[i].t);
		as_slot(&a, 2, (uint64_t)(int64_t)cases[i].pos);
		as_op(&a, DIF_CALL, 0, 0, cases[i].pos == NONE ? 2 : 3, cases[i].subr);
		assert_value(&a, (uint64_t)(int64_t)cases[i].want);
	}
}

static void
test_substr(void **st)
{
	(void)st;
	enum { NONE = 1 << 20 };
	static const struct {
		const char *s;
		int from, len;
		const char *want;
	} cases[] = {{"foobar", 0, NONE, "foobar"}, {"foobar", 3, NONE, "bar"}, {"foobar", 6, NONE, ""},
	    {"foobar", 7, NONE, ""}, {"foobar", -3, NONE, "bar"}, {"foobar", -7, NONE, "foobar"},
	    {"foobar", -10, 5, "f"}, {"foobar", -10, 4, ""}, {"foobar", 1, 2, "oo"}, {"foobar", 1, -2, "oob"},
	    {"foobar", 1, -10, ""}, {"foobar", 1, 0, ""}, {"foobar", -2, 1, "a"}, {"foobar", -2, -1, "a"},
	    {"foobar", 1, 100, "oobar"}, {"", 0, NONE, ""}, {"", -1, 3, ""}};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		start();
		operand(0, cases[i].s);
		as_slot(&a, 1, (uint64_t)(int64_t)cases[i].from);
		as_slot(&a, 2, (uint64_t)(int64_t)cases[i].len);
		as_op(&a, DIF_CALL, 0, 0, cases[i].len == NONE ? 2 : 3, DIF_SUBR_SUBSTR);
		struct outcome o = outcome(&a, DK_STRING);
		assert_int_equal(o.fault, -1);
		assert_string_equal(o.text, cases[i].want);
	}
	start();
	operand(0, "foobar");
	as_slot(&a, 1, (uint64_t)INT64_MIN);
	as_slot(&a, 2, (uint64_t)INT64_MIN);
	as_op(&a, DIF_CALL, 0, 0, 3, DIF_SUBR_SUBSTR);
	assert_string_equal(outcome(&a, DK_STRING).text, "");
}

/* NULL results are address 0. */
static void
test_two_strings(void **st)
{
	(void)st;
	static const struct {
		int32_t subr;
		const char *s, *t, *want;
	} cases[] = {
	    {DIF_SUBR_STRJOIN, "abc", "def", "abcdef"},
	    {DIF_SUBR_STRJOIN, "", "", ""},
	    {DIF_SUBR_STRSTR, "foobar", "oba", "obar"},
	    {DIF_SUBR_STRSTR, "foobar", "", "foobar"},
	    {DIF_SUBR_STRSTR, "foobar", "x", NULL},
	    {DIF_SUBR_STRSTR, "", "", ""},
	    {DIF_SUBR_JSON, "{\"a\": 1}", "a", "1"},
	    {DIF_SUBR_JSON, "{\"a\": {\"b\": [1, {\"c\": \"x\"}]}}", "a.b[1].c", "x"},
	    {DIF_SUBR_JSON, "{\"a\": [[1,2],[3,4]]}", "a[1][0]", "3"},
	    {DIF_SUBR_JSON, "[10, -2.5e3, true]", "[1]", "-2.5e3"},
	    {DIF_SUBR_JSON, "[10, 20, true]", "[2]", "true"},
	    {DIF_SUBR_JSON, "[10]", "[1]", NULL},
	    {DIF_SUBR_JSON, "[]", "[0]", NULL},
	    {DIF_SUBR_JSON, "{\"s\": \"a\\\"b\\n\\u00e9\"}", "s", "a\"b\n\\u00e9"},
	    {DIF_SUBR_JSON, "{\"x]\": \"}\", \"y\": {\"z\": [1]}}", "y", "{\"z\": [1]}"},
	    {DIF_SUBR_JSON, "{\"a\": {\"b\": 1}}", "b", NULL},
	    {DIF_SUBR_JSON, "{\"a\": 1", "b", NULL},
	    {DIF_SUBR_JSON, "{\"a\": ", "a", NULL},
	    {DIF_SUBR_JSON, "{\"a", "a", NULL},
	    {DIF_SUBR_JSON, "{\"a\\", "a", NULL},
	    {DIF_SUBR_JSON, "", "a", NULL},
	    {DIF_SUBR_JSON, "{\"a\": 1}", "", NULL},
	    {DIF_SUBR_JSON, "[1]", "[", NULL},
	    {DIF_SUBR_JSON, "[1]", "[x]", NULL},
	    {DIF_SUBR_JSON, "[[[[[[[[", "[0][0]", NULL},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		start();
		operand(0, cases[i].s);
		operand(1, cases[i].t);
		as_op(&a, DIF_CALL, 0, 0, 2, cases[i].subr);
		if (cases[i].want) {
			struct outcome o = outcome(&a, DK_STRING);
			assert_int_equal(o.fault, -1);
			assert_string_equal(o.text, cases[i].want);
		} else {
			assert_value(&a, 0);
		}
	}
}

static void
test_strjoin_is_cut(void **st)
{
	(void)st;
	char x[60], y[60];
	memset(x, 'x', 59);
	memset(y, 'y', 59);
	x[59] = y[59] = '\0';
	start();
	operand(0, x);
	operand(1, y);
	as_op(&a, DIF_CALL, 0, 0, 2, DIF_SUBR_STRJOIN);
	struct outcome o = outcome(&a, DK_STRING);
	assert_int_equal(strlen(o.text), 63);
	assert_memory_equal(o.text + 55, "xxxxyyyy", 8);
}

static void
test_strchr(void **st)
{
	(void)st;
	static const struct {
		int32_t subr;
		char c;
		const char *want;
	} cases[] = {{DIF_SUBR_STRCHR, 'b', "bcabc"}, {DIF_SUBR_STRRCHR, 'b', "bc"}, {DIF_SUBR_STRCHR, 'x', NULL},
	    {DIF_SUBR_STRRCHR, 'x', NULL}, {DIF_SUBR_STRCHR, '\0', ""}, {DIF_SUBR_STRRCHR, '\0', ""}};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		start();
		operand(0, "abcabc");
		as_slot(&a, 1, (uint64_t)cases[i].c);
		as_op(&a, DIF_CALL, 0, 0, 2, cases[i].subr);
		if (cases[i].want)
			assert_string_equal(outcome(&a, DK_STRING).text, cases[i].want);
		else
			assert_value(&a, 0);
	}
}

/* ---- strtok: its place belongs to the thread ---- */

static void
test_strtok(void **st)
{
	(void)st;
	static struct recs rs;
	static const struct {
		uint64_t thread;
		const char *s, *want; /* NULL: no token */
	} cases[] = {{1, NUL, NULL}, {1, "/a//bc/", "a"}, {2, "x", "x"}, {1, NUL, "bc"}, {2, NUL, NULL}, {1, NUL, NULL},
	    {1, NUL, NULL}, {2, "p/q", "p"}, {1, "", NULL}, {1, "//", NULL}, {2, NUL, "q"}, {2, NUL, NULL}};
	struct eng_conf c = as_conf();
	enum { N = sizeof cases / sizeof cases[0] };
	as_init(&a);
	for (size_t i = 0; i < N; i++) {
		as_clause(&a);
		operand(0, cases[i].s);
		operand(1, "/");
		as_op(&a, DIF_CALL, 0, 0, 2, DIF_SUBR_STRTOK);
		as_op(&a, DIF_LDS, 1, 0, 0, as_str(&a, "(null)"));
		int32_t b = as_op(&a, DIF_BNZ, 0, 0, 0, 0);
		as_op(&a, DIF_MOV, 0, 1, 0, 0);
		as_land(&a, b);
		int32_t f = as_field(&a, DK_STRING, 0);
		as_op(&a, DIF_RECB, 0, 0, 0, 0);
		as_op(&a, DIF_REC, 0, 0, 0, f);
		as_op(&a, DIF_RECE, 0, 0, 0, 0);
		as_end(&a);
	}
	struct engine *e = eng_new(&a, &c);
	for (unsigned i = 0; i < N; i++)
		eng_bind(e, 4 + i, i);
	eng_go(e);
	for (unsigned i = 0; i < N; i++) {
		struct firing f = {.probe = i, .thread = cases[i].thread};
		engine_user.fire(e, &f);
	}
	drain(e, &a, &rs);
	assert_int_equal(rs.n, N);
	for (unsigned i = 0; i < N; i++)
		assert_string_equal(rs.at[i].data, cases[i].want ? cases[i].want : "(null)");
	engine_user.destroy(e);
}

/* ---- numbers and text ---- */

static void
test_strtoll(void **st)
{
	(void)st;
	static const struct {
		const char *s;
		int base; /* 0: not given */
		int64_t want;
	} cases[] = {{"42", 0, 42}, {"  -42x", 0, -42}, {"+7", 0, 7}, {"", 0, 0}, {"x", 0, 0}, {"-", 0, 0},
	    {"ff", 16, 255}, {"0xFF", 16, 255}, {"0x", 16, 0}, {"0xg", 16, 0}, {"0x10", 0, 0}, {"z", 36, 35},
	    {"101", 2, 5}, {"12", 2, 1}, {"9223372036854775807", 0, INT64_MAX}, {"-9223372036854775808", 0, INT64_MIN},
	    {"\t\n 5", 0, 5}};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		start();
		operand(0, cases[i].s);
		as_slot(&a, 1, (uint64_t)cases[i].base);
		as_op(&a, DIF_CALL, 0, 0, cases[i].base ? 2 : 1, DIF_SUBR_STRTOLL);
		assert_value(&a, (uint64_t)cases[i].want);
	}
}

static void
test_lltostr(void **st)
{
	(void)st;
	static const struct {
		int64_t v;
		int base;
		const char *want;
	} cases[] = {{0, 0, "0"}, {42, 0, "42"}, {-42, 0, "-42"}, {INT64_MIN, 0, "-9223372036854775808"},
	    {255, 16, "0xff"}, {0, 16, "0x0"}, {8, 8, "010"}, {0, 8, "0"}, {5, 2, "101"}, {35, 36, "z"},
	    {-1, 16, "0xffffffffffffffff"}, {-1, 2, "111111111111111111111111111111111111111111111111111111111111111"}};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		start();
		as_slot(&a, 0, (uint64_t)cases[i].v);
		as_slot(&a, 1, (uint64_t)cases[i].base);
		as_op(&a, DIF_CALL, 0, 0, cases[i].base ? 2 : 1, DIF_SUBR_LLTOSTR);
		assert_string_equal(outcome(&a, DK_STRING).text, cases[i].want);
	}
	static const int bad[] = {1, 37, -10};
	for (size_t i = 0; i < 3; i++)
		for (int subr = 0; subr < 2; subr++) {
			start();
			operand(0, "1");
			as_slot(&a, 1, (uint64_t)(int64_t)bad[i]);
			as_op(&a, DIF_CALL, 0, 0, 2, subr ? DIF_SUBR_STRTOLL : DIF_SUBR_LLTOSTR);
			assert_fault(&a, DIF_FAULT_ILLOP, 0);
		}
}

static void
test_numbers(void **st)
{
	(void)st;
	static const struct {
		int32_t subr;
		uint64_t in, out;
	} cases[] = {{DIF_SUBR_HTONS, 0x1234, 0x3412}, {DIF_SUBR_NTOHS, 0xff1234, 0x3412},
	    {DIF_SUBR_HTONL, 0x12345678, 0x78563412}, {DIF_SUBR_NTOHL, 0x12345678, 0x78563412},
	    {DIF_SUBR_HTONLL, 0x0102030405060708u, 0x0807060504030201u},
	    {DIF_SUBR_NTOHLL, 0x0102030405060708u, 0x0807060504030201u}, {DIF_SUBR_GETMAJOR, 8 << 20 | 17, 8},
	    {DIF_SUBR_GETMINOR, 8 << 20 | 17, 17}, {DIF_SUBR_PROGENYOF, 0x7fffffff, 0},
	    {DIF_SUBR_STRLEN, DIF_ADDR(DIF_R_CONST, 0), 0}};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		start();
		as_slot(&a, 0, cases[i].in);
		as_op(&a, DIF_CALL, 0, 0, 1, cases[i].subr);
		assert_value(&a, cases[i].out);
	}
	const uint64_t kin[] = {(uint64_t)getpid(), (uint64_t)getppid(), 1};
	for (size_t i = 0; i < (getppid() > 0 ? 2u : 1u); i++) {
		start();
		as_slot(&a, 0, kin[i]);
		as_op(&a, DIF_CALL, 0, 0, 1, DIF_SUBR_PROGENYOF);
		assert_value(&a, 1);
	}
	start();
	as_op(&a, DIF_CALL, 1, 0, 0, DIF_SUBR_RAND);
	as_op(&a, DIF_CALL, 2, 0, 0, DIF_SUBR_RAND);
	as_op(&a, DIF_SEQ, 0, 1, 2, 0);
	as_num(&a, 3, INT32_MAX);
	as_op(&a, DIF_SLT, 3, 3, 1, 0);
	as_op(&a, DIF_OR, 0, 0, 3, 0);
	assert_value(&a, 0);
}

static void
test_addresses(void **st)
{
	(void)st;
	static const struct {
		int32_t subr;
		uint64_t type;
		unsigned char bytes[20];
		const char *want;
	} cases[] = {{DIF_SUBR_INET_NTOA, 0, {192, 168, 0, 1}, "192.168.0.1"},
	    {DIF_SUBR_INET_NTOP, AF_INET, {255, 255, 255, 255}, "255.255.255.255"},
	    {DIF_SUBR_INET_NTOA6, 0, {0xfe, 0x80, [15] = 1}, "fe80::1"}, {DIF_SUBR_INET_NTOP, AF_INET6, {0}, "::"},
	    {DIF_SUBR_INET_NTOP, AF_INET6, {[10] = 0xff, 0xff, 1, 2, 3, 4}, "::ffff:1.2.3.4"},
	    {DIF_SUBR_LINK_NTOP, 1, {0, 0x1b, 0x21, 0xaa, 0xbb, 0xcc}, "00:1b:21:aa:bb:cc"}};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		start();
		bool typed = cases[i].type != 0;
		as_slot(&a, 0, cases[i].type);
		as_slot(&a, typed, DIF_ADDR(DIF_R_CONST, as_bytes(&a, (const char *)cases[i].bytes, 20)));
		as_op(&a, DIF_CALL, 0, 0, 1 + typed, cases[i].subr);
		assert_string_equal(outcome(&a, DK_STRING).text, cases[i].want);
	}
	for (int subr = 0; subr < 2; subr++) {
		start();
		as_slot(&a, 0, 77);
		as_slot(&a, 1, DIF_ADDR(DIF_R_CONST, 0));
		as_op(&a, DIF_CALL, 0, 0, 2, subr ? DIF_SUBR_INET_NTOP : DIF_SUBR_LINK_NTOP);
		assert_fault(&a, DIF_FAULT_ILLOP, 0);
	}
	start();
	as_slot(&a, 0, 0);
	as_op(&a, DIF_CALL, 0, 0, 1, DIF_SUBR_INET_NTOA);
	assert_fault(&a, DIF_FAULT_BADADDR, 0);
}

/* ---- memory ---- */

static void
test_copies(void **st)
{
	(void)st;
	static const char text[] = "of the process";
	uint64_t addr = (uint64_t)(uintptr_t)text;
	start();
	as_slot(&a, 0, addr);
	as_op(&a, DIF_CALL, 0, 0, 1, DIF_SUBR_COPYINSTR);
	assert_string_equal(outcome(&a, DK_STRING).text, text);
	start();
	as_slot(&a, 0, addr);
	as_slot(&a, 1, 2);
	as_op(&a, DIF_CALL, 0, 0, 2, DIF_SUBR_COPYINSTR);
	assert_string_equal(outcome(&a, DK_STRING).text, "of");
	start();
	as_slot(&a, 0, addr);
	as_slot(&a, 1, sizeof text);
	as_op(&a, DIF_CALL, 0, 0, 2, DIF_SUBR_COPYIN);
	assert_string_equal(outcome(&a, DK_STRING).text, text);
	start();
	as_slot(&a, 0, addr);
	as_slot(&a, 1, 5000);
	as_op(&a, DIF_CALL, 0, 0, 2, DIF_SUBR_COPYIN);
	assert_fault(&a, DIF_FAULT_NOSCRATCH, 0);
	start();
	as_slot(&a, 0, 8);
	as_slot(&a, 1, 5);
	as_op(&a, DIF_CALL, 0, 0, 2, DIF_SUBR_COPYIN);
	assert_fault(&a, DIF_FAULT_BADADDR, 8);
	/* copyinto and bcopy: process to scratch, scratch to scratch */
	start();
	as_slot(&a, 0, 32);
	as_op(&a, DIF_CALL, 1, 0, 1, DIF_SUBR_ALLOCA);
	as_op(&a, DIF_CALL, 0, 0, 1, DIF_SUBR_ALLOCA);
	as_op(&a, DIF_STSL, 0, 1, 0, 2);
	as_op(&a, DIF_STSL, 0, 1, 0, 3);
	as_op(&a, DIF_STSL, 0, 0, 0, 4);
	as_slot(&a, 0, addr);
	as_slot(&a, 1, sizeof text);
	as_op(&a, DIF_CALL, 3, 0, 3, DIF_SUBR_COPYINTO);
	as_slot(&a, 5, 32);
	as_op(&a, DIF_CALL, 3, 3, 3, DIF_SUBR_BCOPY);
	as_op(&a, DIF_LDSL, 0, 0, 0, 4);
	assert_string_equal(outcome(&a, DK_STRING).text, text);
	/* variables are not copied to */
	start();
	as_op(&a, DIF_LDGA, 1, 0, 0, as_var(&a, DS_GLOBAL, DK_BYTES, 32));
	as_op(&a, DIF_LDLA, 0, 0, 0, as_var(&a, DS_LOCAL, DK_BYTES, 32));
	as_op(&a, DIF_STSL, 0, 1, 0, 3);
	as_op(&a, DIF_STSL, 0, 0, 0, 4);
	as_slot(&a, 5, 1);
	as_op(&a, DIF_CALL, 3, 3, 3, DIF_SUBR_BCOPY);
	assert_fault(&a, DIF_FAULT_BADADDR, DIF_ADDR(DIF_R_LOCAL, 0));
	/* a byte too many */
	start();
	as_op(&a, DIF_LDGA, 1, 0, 0, as_var(&a, DS_GLOBAL, DK_BYTES, 32));
	as_slot(&a, 0, 64);
	as_op(&a, DIF_CALL, 0, 0, 1, DIF_SUBR_ALLOCA);
	as_op(&a, DIF_STSL, 0, 1, 0, 3);
	as_op(&a, DIF_STSL, 0, 0, 0, 4);
	as_slot(&a, 5, 33);
	as_op(&a, DIF_CALL, 3, 3, 3, DIF_SUBR_BCOPY);
	assert_fault(&a, DIF_FAULT_BADADDR, DIF_ADDR(DIF_R_GLOBAL, 0));
}

/* ---- destructive ---- */

static void
test_copyout(void **st)
{
	(void)st;
	static char buf[16];
	struct eng_conf c = as_conf();
	struct firing f = {.thread = 1};
	for (int allowed = 0; allowed < 2; allowed++) {
		c.destructive = allowed;
		start();
		operand(0, "hello");
		as_slot(&a, 1, (uint64_t)(uintptr_t)buf);
		as_slot(&a, 2, 16);
		as_op(&a, DIF_CALL, 0, 0, 3, DIF_SUBR_COPYOUTSTR);
		assert_int_equal(outcome_with(&a, DK_INT, &c, &f).fault, allowed ? -1 : DIF_FAULT_UPRIV);
		assert_string_equal(buf, allowed ? "hello" : "");
	}
	start();
	operand(0, "HEllo");
	as_slot(&a, 1, (uint64_t)(uintptr_t)buf);
	as_slot(&a, 2, 2);
	as_op(&a, DIF_CALL, 0, 0, 3, DIF_SUBR_COPYOUT);
	assert_int_equal(outcome_with(&a, DK_INT, &c, &f).fault, -1);
	assert_string_equal(buf, "HEllo");
	/* constants are not to be written, by no trick */
	start();
	operand(0, "x");
	as_slot(&a, 1, DIF_ADDR(DIF_R_CONST, 0));
	as_slot(&a, 2, 1);
	as_op(&a, DIF_CALL, 0, 0, 3, DIF_SUBR_COPYOUT);
	assert_int_equal(outcome_with(&a, DK_INT, &c, &f).fault, DIF_FAULT_BADADDR);
}

static volatile sig_atomic_t got;

static void
on_signal(int sig)
{
	got = sig;
}

static void
test_raise_and_chill(void **st)
{
	(void)st;
	struct eng_conf c = as_conf();
	struct firing f = {.thread = 1};
	c.destructive = true;
	signal(SIGUSR1, on_signal);
	start();
	as_slot(&a, 0, SIGUSR1);
	as_op(&a, DIF_CALL, 0, 0, 1, DIF_SUBR_RAISE);
	assert_int_equal(outcome_with(&a, DK_INT, &c, &f).fault, -1);
	assert_int_equal(got, SIGUSR1);
	start();
	as_slot(&a, 0, 65);
	as_op(&a, DIF_CALL, 0, 0, 1, DIF_SUBR_RAISE);
	assert_int_equal(outcome_with(&a, DK_INT, &c, &f).fault, DIF_FAULT_ILLOP);
	start();
	as_op(&a, DIF_LDBI, 1, 0, 0, DIF_BI_TIMESTAMP);
	as_slot(&a, 0, 2000000);
	as_op(&a, DIF_CALL, 0, 0, 1, DIF_SUBR_CHILL);
	assert_int_equal(outcome_with(&a, DK_INT, &c, &f).fault, -1);
	start();
	as_slot(&a, 0, 500000001);
	as_op(&a, DIF_CALL, 0, 0, 1, DIF_SUBR_CHILL);
	assert_int_equal(outcome_with(&a, DK_INT, &c, &f).fault, DIF_FAULT_ILLOP);
	start();
	as_slot(&a, 0, 1000000);
	as_op(&a, DIF_CALL, 0, 0, 1, DIF_SUBR_CHILL);
	as_slot(&a, 0, 499999999);
	as_op(&a, DIF_CALL, 0, 0, 1, DIF_SUBR_CHILL);
	assert_int_equal(outcome_with(&a, DK_INT, &c, &f).fault, DIF_FAULT_ILLOP);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_string_of_string),
	    cmocka_unit_test(test_positions),
	    cmocka_unit_test(test_substr),
	    cmocka_unit_test(test_two_strings),
	    cmocka_unit_test(test_strjoin_is_cut),
	    cmocka_unit_test(test_strchr),
	    cmocka_unit_test(test_strtok),
	    cmocka_unit_test(test_strtoll),
	    cmocka_unit_test(test_lltostr),
	    cmocka_unit_test(test_numbers),
	    cmocka_unit_test(test_addresses),
	    cmocka_unit_test(test_copies),
	    cmocka_unit_test(test_copyout),
	    cmocka_unit_test(test_raise_and_chill),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
