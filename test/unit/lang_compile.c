/* The driver: passes in order, errors as the user sees them, pragmas, libraries, the preprocessor, taking back. */
#include "lang.h"

#include "base/sbuf.h"

#include <signal.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static struct fix fx;

/* -- errors as text -------------------------------------------------------------------------------------------- */

static char *
shown(const char *text, bool errtags)
{
	fix_compile(&fx, text);
	char *s = diag_format(&fx.diag, errtags);
	assert_non_null(s);
	return s;
}

#define SHOWS(text, errtags, expected) \
	do { \
		char *s_ = shown(text, errtags); \
		assert_string_equal(s_, expected); \
		free(s_); \
	} while (0)

static void
messages(void **state)
{
	(void)state;
	SHOWS(
	    "BEGIN { x = ; }", false, "t.d:1:13: expected an expression before ';'\nBEGIN { x = ; }\n            ^\n");
	SHOWS("BEGIN { x = 09; }", true,
	    "t.d:1:13: [D_INT_DIGIT] constant 09 contains invalid digit 9\nBEGIN { x = 09; }\n            ^~\n");
	/* Tabs stay, so that the caret lines up; characters count once. */
	SHOWS("BEGIN\n{\n\tx = \"\303\274\"; y = 09;\n}", false,
	    "t.d:3:16: constant 09 contains invalid digit 9\n\tx = \"\303\274\"; y = 09;\n\t             ^~\n");
	SHOWS(
	    "BEGIN { \033[31m }", false, "t.d:1:9: syntax error near control byte 0x1b\nBEGIN { ?[31m }\n        ^\n");
	SHOWS("BEGIN { for }", false,
	    "t.d:1:9: expected an expression before 'for'\nBEGIN { for }\n        ^~~\n"
	    "  D has no loops: a clause runs once for each firing of its probe; use tick-* probes to do things again\n");
	SHOWS("", true, "[D_EMPTY] empty D program specified\n  write at least one clause, such as BEGIN { }\n");
}

static void
windows(void **state)
{
	(void)state;
	struct sbuf b = {0};
	sb_adds(&b, "BEGIN { ");
	for (int i = 0; i < 50000; i++)
		sb_adds(&b, "x = 1; ");
	sb_adds(&b, "y = 09; ");
	for (int i = 0; i < 50000; i++)
		sb_adds(&b, "z = 1; ");
	sb_adds(&b, "}");
	char *s = shown(b.at, false);
	assert_true(strlen(s) < 400);
	assert_non_null(strstr(s, "y = 09; z = 1;"));
	assert_non_null(strstr(s, "\n..."));
	/* The caret stands below the number. */
	const char *line = strstr(s, "\n...") + 1, *caret = strchr(line, '^'), *second = strchr(line, '\n') + 1;
	assert_memory_equal(line + (caret - second), "09", 2);
	free(s);
	sb_free(&b);
}

/* -- programs ---------------------------------------------------------------------------------------------------- */

static void
programs(void **state)
{
	(void)state;
	assert_string_equal(tag_of("BEGIN { }"), "");
	assert_string_equal(tag_of("BEGIN"), "");
	assert_string_equal(tag_of("BEGIN;"), "");
	assert_string_equal(tag_of(""), "D_EMPTY");
	assert_string_equal(tag_of(" \n\t/* c */ // d\n#pragma D option quiet\n"), "D_EMPTY");
	assert_string_equal(tag_of("int x;"), "D_EMPTY");
	assert_string_equal(tag_of("inline int x = 1;"), "");
	assert_string_equal(tag_of("BEGIN { trace(1); } END { trace(2); }"), "");
	assert_string_equal(fix_compile(&fx, "BEGIN { } END { } BEGIN { }"), "");
	assert_int_equal(fx.nclauses, 3);
}

static void
arguments(void **state)
{
	(void)state;
	static const char *const argv[] = {"me", "1", "BEGIN"};
	fx.argc = 3;
	fx.argv = argv;
	assert_string_equal(fix_compile(&fx, "$2 { trace($1); }"), "");
	assert_string_equal(fix_compile(&fx, "BEGIN { trace($1); }"), "D_MACRO_UNUSED");
	assert_string_equal(fix_compile(&fx, "BEGIN { trace($$1); trace($$2); trace($3); }"), "D_MACRO_UNDEF");
	fx.opts.num[OPT_DEFAULTARGS] = 1;
	assert_string_equal(fix_compile(&fx, "BEGIN { trace($5); trace($$6); }"), "");
	fx.opts.num[OPT_DEFAULTARGS] = 0;
	fx.argc = 0;
}

static void
pragmas(void **state)
{
	(void)state;
	static const struct {
		const char *text, *tag;
	} cases[] = {
	    {"#pragma D option quiet\nBEGIN { }", ""},
	    {"BEGIN {\n#pragma D option quiet\n}\n", ""},
	    {"#pragma D option nosuchoption\nBEGIN { }", "D_PRAGMA_OPTSET"},
	    {"#pragma D option bufsize=x\nBEGIN { }", "D_PRAGMA_OPTSET"},
	    {"#pragma D option\nBEGIN { }", "D_PRAGMA_MALFORM"},
	    {"#pragma D option quiet strsize=5\nBEGIN { }", "D_PRAGMA_MALFORM"},
	    {"#pragma D\nBEGIN { }", "D_PRAGMA_MALFORM"},
	    {"#pragma D nosuch\nBEGIN { }", "D_PRAGMA_INVAL"},
	    {"#pragma once\nBEGIN { }", ""},
	    {"#pragma\n#\nBEGIN { }", ""},
	    {"#error do not use\nBEGIN { }", "D_PRAGERR"},
	    {"#pragma error do not use\nBEGIN { }", "D_PRAGERR"},
	    {"#pragma D error no\nBEGIN { }", "D_PRAGERR"},
	    {"#ident \"x\"\n#pragma ident \"y\"\nBEGIN { }", ""},
	    {"#include <stdio.h>\nBEGIN { }", "D_PRAGCTL_INVAL"},
	    {"#line x\nBEGIN { }", "D_PRAGMA_MALFORM"},
	    {"#line 5 6\nBEGIN { }", "D_PRAGMA_MALFORM"},
	    {"#line 5 \"f\" 1\nBEGIN { }", ""},
	    {"#pragma D attributes Stable/Stable/Common x\nint x; BEGIN { }", ""},
	    {"int x;\n#pragma D attributes Stable/Stable/Common x\nBEGIN { }", ""},
	    {"#pragma D attributes Stable/Stable/Common nothing\nBEGIN { }", "D_PRAGMA_UNUSED"},
	    {"#pragma D attributes Stable/Wrong/Common x\nint x; BEGIN { }", "D_PRAGMA_INVAL"},
	    {"#pragma D attributes Stable\nBEGIN { }", "D_PRAGMA_MALFORM"},
	    {"#pragma D attributes Private/Private/Common timestamp\nBEGIN { }", "D_PRAGMA_SCOPE"},
	    {"#pragma D binding \"1.0\" x\nint x; BEGIN { }", ""},
	    {"#pragma D binding \"one\" x\nint x; BEGIN { }", "D_PRAGMA_INVAL"},
	    {"#pragma D binding x\nint x; BEGIN { }", "D_PRAGMA_MALFORM"},
	    {"#pragma D depends_on provider dtrace\nBEGIN { }", ""},
	    {"#pragma D depends_on provider nosuch\nBEGIN { }", "D_PRAGMA_DEPEND"},
	    {"#pragma D depends_on module nosuch\nBEGIN { }", "D_PRAGMA_DEPEND"},
	    {"#pragma D depends_on library x.d\nBEGIN { }", "D_PRAGMA_DEPEND"},
	    {"#pragma D depends_on planet mars\nBEGIN { }", "D_PRAGMA_INVAL"},
	    {"#pragma D depends_on provider\nBEGIN { }", "D_PRAGMA_MALFORM"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		const char *tag = tag_of(cases[i].text);
		if (strcmp(tag, cases[i].tag) != 0)
			fail_msg("%s: [%s], expected [%s]", cases[i].text, tag, cases[i].tag);
	}
	fix_compile(&fx, "#pragma D option bufsise=4k\nBEGIN { }");
	assert_string_equal(fx.diag.hint, "did you mean 'bufsize'?");
	assert_string_equal(fix_compile(&fx, "#pragma D option strsize=77\nBEGIN { }"), "");
	assert_int_equal(fx.opts.num[OPT_STRSIZE], 77);
	assert_int_equal(type_string(fx.lang->types)->size, 77);
	fx.opts.num[OPT_STRSIZE] = 256;
}

/* What a failed program declared is gone; what was there before stays. */
static void
taking_back(void **state)
{
	(void)state;
	struct fix f;
	fix_open(&f);
	assert_string_equal(fix_compile(&f, "int kept; typedef int kept_t; struct fwd; BEGIN { kept = 1; }"), "");
	unsigned before = unit_nclauses(f.unit);
	assert_string_equal(
	    fix_compile(&f, "int gone; typedef int gone_t; struct fwd { int a; }; enum { GONE }; inline int G = 1;"
			    "BEGIN { gone = 1; fresh = 2; @agg = count(); self->s = 3; } BEGIN { 09; }"),
	    "D_INT_DIGIT");
	assert_int_equal(unit_nclauses(f.unit), before);
	assert_non_null(sm_gets(&f.lang->globals, "kept"));
	assert_null(sm_gets(&f.lang->globals, "gone"));
	assert_null(sm_gets(&f.lang->globals, "fresh"));
	assert_null(sm_gets(&f.lang->selfs, "s"));
	assert_null(sm_gets(&f.lang->aggs, "agg"));
	assert_null(sm_gets(&f.lang->inlines, "G"));
	assert_null(type_named(f.lang->types, "gone_t"));
	assert_non_null(type_named(f.lang->types, "kept_t"));
	assert_false(type_tagged(f.lang->types, T_STRUCT, "fwd", false)->is_complete);
	/* The same names can be used for something else now. */
	assert_string_equal(
	    fix_compile(
		&f, "string gone; typedef char gone_t; enum { GONE = 4 }; BEGIN { gone = \"x\"; fresh = \"y\"; }"),
	    "");
	fix_close(&f);
}

/* -- libraries and the preprocessor -------------------------------------------------------------------------------- */

static char dir[] = "/tmp/erltrace-lang-XXXXXX";

static void
write_file(const char *name, const char *text)
{
	char path[256];
	snprintf(path, sizeof path, "%s/%s", dir, name);
	FILE *f = fopen(path, "w");
	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

static void
remove_file(const char *name)
{
	char path[256];
	snprintf(path, sizeof path, "%s/%s", dir, name);
	unlink(path);
}

/* The tag of a program on a fresh handle with libraries from the folder. */
static const char *
with_libs(const char *text)
{
	static char tag[64];
	struct fix f;
	fix_open(&f);
	assert_int_equal(opts_set(&f.opts, "libdir", dir), OPT_OK);
	snprintf(tag, sizeof tag, "%s", fix_compile(&f, text));
	fix_close(&f);
	return tag;
}

static void
libraries(void **state)
{
	(void)state;
	write_file("a.d", "#pragma D depends_on library b.d\ninline int A = B + 1;\n");
	write_file("b.d", "inline int B = 41;\n");
	write_file("c.d", "#pragma D depends_on provider nosuch\ninline int C = 1;\n");
	write_file("d.d", "#pragma D depends_on library c.d\ninline int D_ = C;\n");
	write_file("notes.txt", "not D\n");
	assert_string_equal(with_libs("BEGIN { trace(A); }"), "");
	/* Left out: what it needs is not there. */
	assert_string_equal(with_libs("BEGIN { trace(C); }"), "D_IDENT_UNDEF");
	assert_string_equal(with_libs("BEGIN { trace(D_); }"), "D_IDENT_UNDEF");
	write_file("e.d", "BEGIN { }\n");
	assert_string_equal(with_libs("BEGIN { }"), "D_SYNTAX");
	write_file("e.d", "inline int E = ;\n");
	assert_string_equal(with_libs("BEGIN { }"), "D_SYNTAX");
	write_file("e.d", "#pragma D depends_on library f.d\n");
	assert_string_equal(with_libs("BEGIN { }"), "D_PRAGMA_DEPEND");
	write_file("f.d", "#pragma D depends_on library e.d\n");
	assert_string_equal(with_libs("BEGIN { }"), "D_PRAGMA_DEPEND");
	static const char *const names[] = {"a.d", "b.d", "c.d", "d.d", "e.d", "f.d", "notes.txt"};
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		remove_file(names[i]);
	assert_string_equal(with_libs("BEGIN { }"), "");
}

static void
preprocessor(void **state)
{
	(void)state;
	struct fix f;
	fix_open(&f);
	assert_int_equal(opts_set(&f.opts, "cpp", NULL), OPT_OK);
	assert_string_equal(fix_compile(&f, "#define N 5\nBEGIN { trace(N); }\n"), "");
	assert_string_equal(fix_compile(&f, "BEGIN {\n#ifdef __SUNW_D\ntrace(1);\n#else\n}}\n#endif\n}\n"), "");
	assert_string_equal(fix_compile(&f, "#define X 09\n\nBEGIN { trace(X); }\n"), "D_INT_DIGIT");
	assert_int_equal(f.diag.line, 3);
	assert_string_equal(f.diag.file, "t.d");
	assert_string_equal(fix_compile(&f, "#include \"nosuch.h\"\nBEGIN { }\n"), "D_UNKNOWN");
	assert_non_null(strstr(f.diag.msg, "nosuch.h"));
	write_file("one.h", "#define ONE 1\nstruct in_header { int a; };\n");
	assert_int_equal(opts_set(&f.opts, "incdir", dir), OPT_OK);
	assert_int_equal(opts_set(&f.opts, "define", "TWO=2"), OPT_OK);
	assert_string_equal(
	    fix_compile(&f, "#include \"one.h\"\nstruct in_header h;\nBEGIN { trace(ONE + TWO); }\n"), "");
	remove_file("one.h");
	/* More than any pipe holds, both ways. */
	struct sbuf b = {0};
	for (int i = 0; i < 100000; i++)
		sb_adds(&b, "/* some words of comment, which the preprocessor drops */\nint a_variable_declared;\n");
	sb_adds(&b, "BEGIN { }");
	assert_string_equal(fix_compile_n(&f, b.at, b.len), "");
	sb_free(&b);
	assert_int_equal(opts_set(&f.opts, "cpppath", "/nonexistent/cpp"), OPT_OK);
	assert_string_equal(fix_compile(&f, "BEGIN { }"), "D_UNKNOWN");
	assert_int_equal(opts_set(&f.opts, "cpppath", "/bin/true"), OPT_OK);
	assert_string_equal(fix_compile(&f, "BEGIN { }"), "D_EMPTY");
	assert_int_equal(opts_set(&f.opts, "cpppath", "/bin/false"), OPT_OK);
	assert_string_equal(fix_compile(&f, "BEGIN { }"), "D_UNKNOWN");
	fix_close(&f);
}

/* The C library's headers are full of GNU C; sizes must come out as the compiler's. */
static void
system_headers(void **state)
{
	(void)state;
	struct fix f;
	fix_open(&f);
	assert_int_equal(opts_set(&f.opts, "cpp", NULL), OPT_OK);
	assert_string_equal(
	    fix_compile(&f, "#include <errno.h>\n#include <fcntl.h>\n#include <signal.h>\n#include <stdio.h>\n"
			    "#include <stdlib.h>\n#include <sys/epoll.h>\n#include <sys/socket.h>\n"
			    "#include <sys/stat.h>\n#include <unistd.h>\n"
			    "BEGIN /O_CREAT && EPOLLIN && SOCK_STREAM/ { trace(EINTR); }\n"),
	    "");
	assert_int_equal(type_tagged(f.lang->types, T_STRUCT, "epoll_event", false)->size, sizeof(struct epoll_event));
	assert_int_equal(
	    type_tagged(f.lang->types, T_STRUCT, "sockaddr_storage", false)->size, sizeof(struct sockaddr_storage));
	assert_int_equal(type_tagged(f.lang->types, T_STRUCT, "stat", false)->size, sizeof(struct stat));
	assert_int_equal(type_base(type_named(f.lang->types, "siginfo_t"))->size, sizeof(siginfo_t));
	fix_close(&f);
}

/* Twice as many clauses take about twice as long, not four times. */
static void
linear(void **state)
{
	(void)state;
	double took[2];
	for (int k = 0; k < 2; k++) {
		struct sbuf b = {0};
		for (int i = 0; i < 4000 << k; i++)
			sb_printf(&b, "BEGIN /x%d == 1 || 1/ { x%d = %d; @a%d = count(); }\n", i % 7, i, i, i % 100);
		/* The first seven are used before they are assigned. */
		struct sbuf all = {0};
		sb_adds(&all, "int x0, x1, x2, x3, x4, x5, x6;\n");
		sb_add(&all, b.at, b.len);
		struct fix f;
		fix_open(&f);
		struct timespec t0, t1;
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t0); /* others may keep the machine busy */
		assert_string_equal(fix_compile_n(&f, all.at, all.len), "");
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t1);
		took[k] = (double)(t1.tv_sec - t0.tv_sec) + (double)(t1.tv_nsec - t0.tv_nsec) / 1e9;
		assert_int_equal(f.nclauses, 4000 << k);
		fix_close(&f);
		sb_free(&b);
		sb_free(&all);
	}
	print_message("4000 clauses: %.1f ms, 8000: %.1f ms\n", took[0] * 1e3, took[1] * 1e3);
	assert_true(took[1] < took[0] * 3.5 + 0.05);
}

static int
open_fx(void **state)
{
	(void)state;
	fix_open(&fx);
	return mkdtemp(dir) ? 0 : -1;
}

static int
close_fx(void **state)
{
	(void)state;
	fix_close(&fx);
	return rmdir(dir);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(messages),
	    cmocka_unit_test(windows),
	    cmocka_unit_test(programs),
	    cmocka_unit_test(arguments),
	    cmocka_unit_test(pragmas),
	    cmocka_unit_test(taking_back),
	    cmocka_unit_test(libraries),
	    cmocka_unit_test(preprocessor),
	    cmocka_unit_test(system_headers),
	    cmocka_unit_test(linear),
	};
	return cmocka_run_group_tests(tests, open_fx, close_fx);
}
