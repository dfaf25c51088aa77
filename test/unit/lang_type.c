/*
 * Types: layout against the compiler's own, texts, sameness, declarations that are refused, and taking back.
 */
#include "lang.h"

#include <stdio.h>

static struct fix fx;

/* Reads declarations; "" or the tag of the error. */
static const char *
declare(const char *text)
{
	struct cc *cc = fix_cc(&fx, text, strlen(text));
	if (setjmp(fx.fail))
		return fx.diag.tag ? fx.diag.tag : "no memory";
	struct parser *p = parse_open(cc);
	while (parse_top(p))
		;
	return "";
}

static struct type *
parsed(const char *text)
{
	struct cc *cc = fix_cc(&fx, "", 0);
	return type_parse(cc, text);
}

static const char *
text_of(const char *text)
{
	struct type *t = parsed(text);
	return t ? type_text(&fx.ar, t) : "none";
}

/* The same declarations for the C compiler and as text for ours. */
#define BOTH(...) \
	__VA_ARGS__ \
	static const char both_text[] = #__VA_ARGS__

BOTH(
    struct plain {
	    char a;
	    int b;
	    char c;
	    long d;
	    short e;
	    char f[3];
    };
    struct bits {
	    unsigned int a : 3;
	    unsigned int b : 29;
	    unsigned int c : 1;
	    char d;
	    unsigned short e : 9;
	    long f : 40;
	    int g : 20;
	    int : 0;
	    char h : 3;
	    int : 5;
	    unsigned char i : 4;
	    long long j : 1;
    };
    struct tight {
	    char a;
	    int b : 4;
	    int c : 28;
	    char d;
    };
    struct nobits {
	    char a;
	    int : 0;
	    char b;
    };
    union both {
	    char a[5];
	    int b;
	    long c : 33;
	    short d[4];
    };
    struct nested {
	    char a;
	    struct {
		    int x;
		    union {
			    char y;
			    double z;
		    };
	    };
	    struct plain p[2];
	    union both u;
	    void (*fn)(int, char *);
	    enum color { RED, GREEN = 5, BLUE } k;
	    char end;
    };
    struct packed1 {
	    char a;
	    int b;
	    long c : 40;
	    int d : 30;
	    char e;
    } __attribute__((packed));
    struct __attribute__((__packed__, __aligned__(8))) packed2 {
	    char a;
	    short b __attribute__((aligned(4)));
	    struct plain p;
    };
    struct over {
	    char a;
	    char b __attribute__((__aligned__));
    };
    struct deep {
	    char(*arrays[3])[7];
	    int m[2][3];
	    long double ld;
	    _Bool flag;
    };);

#define SAME_SIZE(T, name) \
	do { \
		struct type *t_ = parsed(name); \
		assert_non_null(t_); \
		assert_int_equal(t_->size, sizeof(T)); \
		assert_int_equal(t_->align, _Alignof(T)); \
	} while (0)
#define SAME_OFFSET(T, name, field) \
	do { \
		uint64_t bits_ = 0; \
		assert_non_null(type_member(parsed(name), #field, &bits_)); \
		assert_int_equal(bits_, offsetof(T, field) * 8); \
	} while (0)

/* The first bit of a bit-field, found by writing ones to it. */
#define SAME_BITS(T, name, field, width) \
	do { \
		T v_; \
		memset(&v_, 0, sizeof v_); \
		v_.field = -1; \
		uint64_t bits_ = 0, first_ = 0; \
		struct member *m_ = type_member(parsed(name), #field, &bits_); \
		assert_non_null(m_); \
		assert_int_equal(m_->bits, width); \
		const unsigned char *c_ = (const unsigned char *)&v_; \
		while (!(c_[first_ / 8] >> first_ % 8 & 1)) \
			first_++; \
		assert_int_equal(bits_, first_); \
	} while (0)

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Woverflow"
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
static void
layout(void **state)
{
	(void)state;
	assert_string_equal(declare(both_text), "");
	SAME_SIZE(struct plain, "struct plain");
	SAME_SIZE(struct bits, "struct bits");
	SAME_SIZE(struct tight, "struct tight");
	SAME_SIZE(struct nobits, "struct nobits");
	SAME_SIZE(union both, "union both");
	SAME_SIZE(struct nested, "struct nested");
	SAME_SIZE(struct deep, "struct deep");
	SAME_SIZE(struct packed1, "struct packed1");
	SAME_SIZE(struct packed2, "struct packed2");
	SAME_SIZE(struct over, "struct over");
	SAME_OFFSET(struct packed1, "struct packed1", b);
	SAME_BITS(struct packed1, "struct packed1", c, 40);
	SAME_BITS(struct packed1, "struct packed1", d, 30);
	SAME_OFFSET(struct packed1, "struct packed1", e);
	SAME_OFFSET(struct packed2, "struct packed2", b);
	SAME_OFFSET(struct packed2, "struct packed2", p);
	SAME_OFFSET(struct over, "struct over", b);
	SAME_OFFSET(struct plain, "struct plain", b);
	SAME_OFFSET(struct plain, "struct plain", d);
	SAME_OFFSET(struct plain, "struct plain", f);
	SAME_OFFSET(struct bits, "struct bits", d);
	SAME_OFFSET(struct tight, "struct tight", d);
	SAME_OFFSET(struct nobits, "struct nobits", b);
	SAME_OFFSET(struct nested, "struct nested", x);
	SAME_OFFSET(struct nested, "struct nested", y);
	SAME_OFFSET(struct nested, "struct nested", z);
	SAME_OFFSET(struct nested, "struct nested", p);
	SAME_OFFSET(struct nested, "struct nested", fn);
	SAME_OFFSET(struct nested, "struct nested", k);
	SAME_OFFSET(struct nested, "struct nested", end);
	SAME_OFFSET(struct deep, "struct deep", m);
	SAME_OFFSET(struct deep, "struct deep", ld);
	SAME_OFFSET(struct deep, "struct deep", flag);
	SAME_BITS(struct bits, "struct bits", a, 3);
	SAME_BITS(struct bits, "struct bits", b, 29);
	SAME_BITS(struct bits, "struct bits", c, 1);
	SAME_BITS(struct bits, "struct bits", e, 9);
	SAME_BITS(struct bits, "struct bits", f, 40);
	SAME_BITS(struct bits, "struct bits", g, 20);
	SAME_BITS(struct bits, "struct bits", h, 3);
	SAME_BITS(struct bits, "struct bits", i, 4);
	SAME_BITS(struct bits, "struct bits", j, 1);
	SAME_BITS(struct tight, "struct tight", b, 4);
	SAME_BITS(struct tight, "struct tight", c, 28);
	SAME_BITS(union both, "union both", c, 33);
	int64_t v = 0;
	assert_true(type_enumerator(fx.lang->types, "BLUE", NULL, &v));
	assert_int_equal(v, BLUE);
	assert_false(type_enumerator(fx.lang->types, "PINK", NULL, &v));
}
#pragma GCC diagnostic pop

static void
usual_typedefs(void **state)
{
	(void)state;
	SAME_SIZE(int8_t, "int8_t");
	SAME_SIZE(uint16_t, "uint16_t");
	SAME_SIZE(uint64_t, "uint64_t");
	SAME_SIZE(size_t, "size_t");
	SAME_SIZE(ptrdiff_t, "ptrdiff_t");
	SAME_SIZE(wchar_t, "wchar_t");
	SAME_SIZE(long double, "long double");
	SAME_SIZE(char *, "caddr_t");
	assert_true(type_base(parsed("int8_t"))->is_signed);
	assert_false(type_base(parsed("uid_t"))->is_signed);
	assert_null(type_named(fx.lang->types, "no_such_t"));
	static const char *const names[] = {"int16_t", "int32_t", "int64_t", "uint8_t", "uint32_t", "intptr_t",
	    "uintptr_t", "ssize_t", "off_t", "pid_t", "id_t", "gid_t", "dev_t", "mode_t", "time_t", "ino_t", "uchar_t",
	    "ushort_t", "uint_t", "ulong_t", "longlong_t", "u_longlong_t", "offset_t", "processorid_t", "psetid_t",
	    "chipid_t", "lgrp_id_t", "zoneid_t", "taskid_t", "projid_t", "major_t", "minor_t", "boolean_t", "clock_t",
	    "daddr_t", "key_t", "u_char", "u_int", "u8", "s64"};
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		assert_non_null(type_named(fx.lang->types, names[i]));
}

static void
texts(void **state)
{
	(void)state;
	assert_string_equal(text_of("int"), "int");
	assert_string_equal(text_of("long unsigned int"), "unsigned long");
	assert_string_equal(text_of("unsigned"), "unsigned int");
	assert_string_equal(text_of("const char *"), "const char *");
	assert_string_equal(text_of("char *const *"), "char *const *");
	assert_string_equal(text_of("int [4]"), "int [4]");
	assert_string_equal(text_of("int *[4][5]"), "int *[4][5]");
	assert_string_equal(text_of("int (*)[4]"), "int (*)[4]");
	assert_string_equal(text_of("void (*)(int, char *)"), "void (*)(int, char *)");
	assert_string_equal(text_of("int (*(*)(void))[3]"), "int (*(*)())[3]");
	assert_string_equal(text_of("string (const char *, int)"), "string (const char *, int)");
	assert_string_equal(text_of("struct s *"), "struct s *");
	assert_string_equal(text_of("uint64_t"), "uint64_t");
	assert_string_equal(text_of("int (...)"), "int (...)");
	assert_string_equal(text_of("int x"), "none");
	assert_string_equal(text_of("3"), "none");
	assert_string_equal(text_of(""), "none");
	assert_string_equal(text_of("int int"), "none");
}

static void
sameness(void **state)
{
	(void)state;
	assert_true(type_same(parsed("int32_t"), parsed("int")));
	assert_true(type_same(parsed("const char *"), parsed("char *")));
	assert_true(type_same(parsed("long"), parsed("long long")));
	assert_false(type_same(parsed("int"), parsed("unsigned")));
	assert_false(type_same(parsed("int [3]"), parsed("int [4]")));
	assert_false(type_same(parsed("struct a1"), parsed("struct b1")));
	assert_true(type_same(parsed("int (*)(char)"), parsed("int (*)(char)")));
	assert_false(type_same(parsed("int (*)(char)"), parsed("int (*)(int)")));
	assert_true(type_is_strcompat(parsed("char [5]")));
	assert_true(type_is_strcompat(parsed("unsigned char *")));
	assert_false(type_is_strcompat(parsed("int *")));
}

static void
refused(void **state)
{
	(void)state;
	static const struct {
		const char *text, *tag;
	} cases[] = {
	    {"long char c;", "D_DECL_CHARATTR"},
	    {"short void v;", "D_DECL_VOIDATTR"},
	    {"unsigned void *v;", "D_DECL_VOIDATTR"},
	    {"unsigned struct x1 { int a; };", "D_DECL_SIGNINT"},
	    {"unsigned string s;", "D_DECL_SIGNINT"},
	    {"long struct x2 { int a; };", "D_DECL_LONGINT"},
	    {"int int x;", "D_DECL_COMBO"},
	    {"short long x;", "D_UNKNOWN"},
	    {"long long long x;", "D_UNKNOWN"},
	    {"self this int x;", "D_DECL_CLASS"},
	    {"static int x;", "D_DECL_BADCLASS"},
	    {"register int x;", "D_DECL_BADCLASS"},
	    {"int;", "D_DECL_USELESS"},
	    {"typedef int;", "D_DECL_USELESS"},
	    {"void v;", "D_DECL_VOIDOBJ"},
	    {"void v[3];", "D_DECL_VOIDOBJ"},
	    {"struct x3 { void v; };", "D_DECL_VOIDOBJ"},
	    {"struct nobody s;", "D_DECL_INCOMPLETE"},
	    {"struct x4 { struct x4 s; };", "D_DECL_INCOMPLETE"},
	    {"struct nobody a[4];", "D_DECL_INCOMPLETE"},
	    {"int a[];", "D_DECL_ARRNULL"},
	    {"int a[0];", "D_DECL_ARRSUB"},
	    {"int a[-1];", "D_DECL_ARRSUB"},
	    {"int a[5000000000];", "D_DECL_ARRBIG"},
	    {"long a[4000000000];", "D_DECL_ARRBIG"},
	    {"char a[100000][100000];", "D_DECL_ARRBIG"},
	    {"struct x5 { char a[200000000]; char b[200000000]; };", "D_DECL_ARRBIG"},
	    {"int a[5][int];", "D_DECL_DYNOBJ"},
	    {"struct x6 { int a[int]; };", "D_DECL_DYNOBJ"},
	    {"int (*a)[int];", "D_DECL_DYNOBJ"},
	    {"this int a[int];", "D_DECL_LOCASSC"},
	    {"int a[self int];", "D_DECL_PARMCLASS"},
	    {"int f(static int);", "D_DECL_PARMCLASS"},
	    {"int a[void];", "D_DECL_PROTO_TYPE"},
	    {"int a[int, ...];", "D_DECL_PROTO_VARARGS"},
	    {"int f(void, int);", "D_DECL_PROTO_VOID"},
	    {"int f(void x);", "D_DECL_PROTO_NAME"},
	    {"int f(int x, int x);", "D_DECL_PROTO_FORM"},
	    {"int f(int)[3];", "D_DECL_FUNCRET"},
	    {"struct x7 { int a; }; struct x7 { int a; };", "D_DECL_TYPERED"},
	    {"struct x8 { struct x8 { int a; } b; };", "D_DECL_TYPERED"},
	    {"enum x9 { NA }; enum x9 { NB };", "D_DECL_TYPERED"},
	    {"enum xa { NC, NC };", "D_UNKNOWN"},
	    {"typedef int t1; typedef long t1;", "D_DECL_IDRED"},
	    {"struct xb { int a; long a; };", "D_UNKNOWN"},
	    {"struct xc { int; };", "D_DECL_MNAME"},
	    {"struct xd { self int a; };", "D_DECL_BADCLASS"},
	    {"struct xe { int a : 33; };", "D_DECL_BFSIZE"},
	    {"struct xf { int a : 0; };", "D_DECL_BFCONST"},
	    {"struct xg { int a : -1; };", "D_DECL_BFCONST"},
	    {"struct xh { char *a : 3; };", "D_DECL_BFTYPE"},
	    {"enum xi { ND = 2147483647, NE };", "D_DECL_ENOFLOW"},
	    {"enum xj { NF = 5000000000 };", "D_DECL_ENOFLOW"},
	    {"enum xk { NG = \"a\" };", "D_DECL_ENCONST"},
	    {"int m`x;", "D_DECL_SCOPE"},
	    {"struct m`t x;", "D_TYPE_ERR"},
	    {"int x = 5;", "D_SYNTAX"},
	    {"int *;", "D_SYNTAX"},
	    {"self foo_t x;", "D_SYNTAX"},
	    {"struct { int a }", "D_SYNTAX"},
	    {"enum { };", "D_SYNTAX"},
	    {"enum { NH };;", ""},
	    {"typedef int t2; typedef int t2;", ""},
	    {"typedef struct ts ts_t; struct ts { ts_t *next; }; ts_t one;", ""},
	    {"extern int printk(const char *, ...); int g(void);", ""},
	    {"int (*handlers[4])(int, void *);", ""},
	    {"self string s[int, string];", ""},
	    {"unsigned int bits, *more[3];", ""},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct types_mark m = types_mark(fx.lang->types);
		const char *tag = declare(cases[i].text);
		if (strcmp(tag, cases[i].tag) != 0)
			fail_msg("%s: [%s] %s, expected [%s]", cases[i].text, tag, fx.diag.msg ? fx.diag.msg : "",
			    cases[i].tag);
		if (*tag)
			assert_true(tag_known(tag));
		types_undo(fx.lang->types, m);
	}
}

static void
taking_back(void **state)
{
	(void)state;
	assert_string_equal(declare("struct later; typedef struct later later_t;"), "");
	struct types_mark m = types_mark(fx.lang->types);
	assert_string_equal(
	    declare("struct later { int a; }; typedef int gone_t; enum gone { GONE }; struct new { int b; };"), "");
	assert_int_equal(type_named(fx.lang->types, "later_t")->size, 4);
	types_undo(fx.lang->types, m);
	assert_null(type_named(fx.lang->types, "gone_t"));
	assert_null(type_tagged(fx.lang->types, T_STRUCT, "new", false));
	assert_false(type_enumerator(fx.lang->types, "GONE", NULL, NULL));
	assert_false(type_tagged(fx.lang->types, T_STRUCT, "later", false)->is_complete);
	assert_int_equal(type_named(fx.lang->types, "later_t")->size, 0);
	assert_string_equal(declare("struct later { char a; };"), "");
	assert_int_equal(type_named(fx.lang->types, "later_t")->size, 1);
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
	    cmocka_unit_test(layout),
	    cmocka_unit_test(usual_typedefs),
	    cmocka_unit_test(texts),
	    cmocka_unit_test(sameness),
	    cmocka_unit_test(refused),
	    cmocka_unit_test(taking_back),
	};
	return cmocka_run_group_tests(tests, open_fx, close_fx);
}
