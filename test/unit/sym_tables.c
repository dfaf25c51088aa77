/* Perf maps, kallsyms and lines of /proc/PID/maps. */
#include "sym/syms.h"
#include "sym/tables.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <unistd.h>
#include <string.h>

#include <cmocka.h>

static const char *
name_at(const struct symtable *t, uint64_t addr)
{
	const struct symrow *r = symtable_find(t, addr);
	return r ? t->text + r->name : "none";
}

static void
perf_lines(void **state)
{
	static const char text[] = "7f00 10 foo bar\n"
				   "0x8000 20 $lists:seq/2\n"
				   "not a line\n"
				   "9000 zz bad\n"
				   "9000 0 empty\n"
				   "a000 10\n"
				   "ffffffffffffffffff 10 long\n"
				   "b000 10 a\x1b[31m\n"
				   "c000 8 last";
	struct symtable t = {0};
	(void)state;
	assert_true(perfmap_parse(&t, text, sizeof text - 1, NULL));
	assert_int_equal(t.n, 4);
	assert_string_equal(name_at(&t, 0x7f00), "foo bar");
	assert_string_equal(name_at(&t, 0x7f0f), "foo bar");
	assert_string_equal(name_at(&t, 0x7f10), "none");
	assert_string_equal(name_at(&t, 0x7eff), "none");
	assert_string_equal(name_at(&t, 0x801f), "lists:seq/2");
	assert_string_equal(name_at(&t, 0xb001), "a?[31m");
	assert_string_equal(name_at(&t, 0xc007), "last");
	symtable_free(&t);
}

/* Code is made again in the same place: the newer line counts, also when it starts elsewhere. */
static void
perf_newest(void **state)
{
	static const char text[] = "1000 100 old\n1000 40 new\n1080 80 newer\n";
	struct symtable t = {0};
	(void)state;
	assert_true(perfmap_parse(&t, text, sizeof text - 1, NULL));
	assert_string_equal(name_at(&t, 0x1000), "new");
	assert_string_equal(name_at(&t, 0x1050), "old");
	assert_string_equal(name_at(&t, 0x1090), "newer");
	symtable_free(&t);
}

static void
kernel_lines(void **state)
{
	static const char text[] = "ffffffff81000000 T _text\n"
				   "ffffffff81000000 T _stext\n"
				   "ffffffff81000100 t inner\n"
				   "0000000000000000 A percpu\n"
				   "ffffffffc0000000 t mod_init\t[ext4]\n"
				   "ffffffffc0000010 t mod_exit\t[ext4]\n"
				   "ffffffffc0001000 t other\t[xfs]\n";
	struct symtable t = {0};
	(void)state;
	assert_true(kallsyms_parse(&t, text, sizeof text - 1));
	assert_int_equal(t.n, 6);
	assert_string_equal(name_at(&t, 0xffffffff81000000), "_text");
	assert_string_equal(name_at(&t, 0xffffffff810000ff), "_text");
	assert_string_equal(name_at(&t, 0xffffffff81000101), "inner");
	assert_string_equal(t.text + symtable_find(&t, 0xffffffff81000101)->module, "vmlinux");
	assert_string_equal(t.text + symtable_find(&t, 0xffffffffc0000011)->module, "ext4");
	assert_string_equal(t.text + symtable_find(&t, 0xffffffffc0001001)->module, "xfs");
	assert_string_equal(name_at(&t, 0xfffffff000000000), "none");
	symtable_free(&t);
}

static void
maps_lines(void **state)
{
	struct sym_map m;
	char code[] = "55d0-55f0 r-xp 00002000 fd:01 1234  /usr/bin/a b\n", data[] = "1-2 rw-p 0 0:0 0\n",
	     junk[] = "junk";
	char anon[] = "7f00-7f10 rwxp 00000000 00:00 0 \n";
	(void)state;
	assert_true(proc_maps_line(code, &m));
	assert_int_equal(m.start, 0x55d0);
	assert_int_equal(m.end, 0x55f0);
	assert_int_equal(m.off, 0x2000);
	assert_int_equal(m.ino, 1234);
	assert_string_equal(m.path, "/usr/bin/a b");
	assert_true(proc_maps_line(anon, &m));
	assert_int_equal(m.ino, 0);
	assert_string_equal(m.path, "");
	assert_false(proc_maps_line(data, &m));
	assert_false(proc_maps_line(junk, &m));
}

/* What a watcher tells: mappings replace each other, children inherit, exec forgets, the ended are kept. */
static void
processes(void **state)
{
	struct syms *s = syms_new();
	const char *mod, *sym;
	uint64_t off;
	enum { PID = 1 << 30 }; /* no such process */
	struct sym_map one = {0x1000, 0x9000, 0, 77, 1, "/no/such/one"},
		       two = {0x3000, 0x4000, 0, 77, 2, "/no/such/two"};
	(void)state;
	assert_non_null(s);
	syms_mapped(s, PID, &one);
	assert_true(syms_lookup(s, PID, 0x3500, &mod, &sym, &off));
	assert_string_equal(mod, "one");
	assert_null(sym);
	syms_mapped(s, PID, &two);
	assert_true(syms_lookup(s, PID, 0x3500, &mod, &sym, &off));
	assert_string_equal(mod, "two");
	assert_true(syms_lookup(s, PID, 0x2fff, &mod, &sym, &off));
	assert_string_equal(mod, "one");
	assert_true(syms_lookup(s, PID, 0x4000, &mod, &sym, &off));
	assert_string_equal(mod, "one");
	assert_false(syms_lookup(s, PID, 0x9000, &mod, &sym, &off));
	assert_int_equal(syms_start_of(s, PID, 0x8000, true), 0x1000);
	syms_forked(s, PID + 1, PID);
	syms_exited(s, PID);
	assert_true(syms_lookup(s, PID + 1, 0x3500, &mod, &sym, &off));
	assert_string_equal(mod, "two");
	assert_true(syms_lookup(s, PID, 0x3500, &mod, &sym, &off));
	syms_execed(s, PID + 1);
	assert_false(syms_lookup(s, PID + 1, 0x3500, &mod, &sym, &off));
	/* The oldest of the ended make room. */
	for (int i = 2; i < 6000; i++) {
		syms_mapped(s, PID + i, &one);
		syms_exited(s, PID + i);
	}
	assert_false(syms_lookup(s, PID, 0x3500, &mod, &sym, &off));
	assert_true(syms_lookup(s, PID + 5999, 0x3500, &mod, &sym, &off));
	syms_free(s);
}

__attribute__((noinline)) static int
in_this_file(int x)
{
	return x * 3;
}

/* This very process, by its ELF file. */
static void
own_symbols(void **state)
{
	struct syms *s = syms_new();
	const char *mod, *sym;
	uint64_t off, at = (uint64_t)(uintptr_t)in_this_file;
	(void)state;
	assert_int_equal(in_this_file(2), 6);
	assert_non_null(s);
	assert_true(syms_lookup(s, getpid(), at + 1, &mod, &sym, &off));
	assert_string_equal(mod, "sym_tables");
	assert_string_equal(sym, "in_this_file");
	assert_int_equal(off, 1);
	assert_int_equal(syms_start_of(s, getpid(), at + 1, false), at);
	assert_true(syms_lookup(s, getpid(), (uint64_t)(uintptr_t)qsort, &mod, &sym, &off));
	assert_non_null(sym);
	assert_false(syms_lookup(s, getpid(), 16, &mod, &sym, &off));
	syms_free(s);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(perf_lines),
	    cmocka_unit_test(perf_newest),
	    cmocka_unit_test(kernel_lines),
	    cmocka_unit_test(maps_lines),
	    cmocka_unit_test(processes),
	    cmocka_unit_test(own_symbols),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
