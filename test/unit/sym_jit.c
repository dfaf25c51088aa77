/* The list of modules that an Erlang VM keeps for debuggers: what is taken from it, and what is not. */
#include "sym/jit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* The memory of a process: one piece at BASE. The descriptor is at 64, entries and data follow. */
enum { SIZE = 64 << 10, DESC = 64, FIRST = 256 };
#define BASE ((uint64_t)0x500000000)
#define CODE ((uint64_t)0x700000000)
#define EXIT ((uint64_t)0x7000f0000)

static unsigned char mem[SIZE];
static size_t used;
static uint64_t list; /* address of the first entry */

static bool
read_mem(void *arg, uint64_t at, void *to, size_t n)
{
	(void)arg;
	if (at < BASE || at - BASE > SIZE || n > SIZE - (at - BASE))
		return false;
	memcpy(to, mem + (at - BASE), n);
	return true;
}

static const struct jit_memory memory = {read_mem, NULL};

static void
put(size_t at, uint64_t v, size_t n)
{
	memcpy(mem + at, &v, n);
}

static void
set_list(uint64_t first)
{
	list = first;
	put(DESC + 16, first, 8);
}

static size_t
new_entry(size_t size)
{
	size_t at = used;
	put(at, list, 8);
	put(at + 16, BASE + at + 32, 8);
	put(at + 24, size, 8);
	used = (at + 32 + size + 15) & ~(size_t)15;
	assert_true(used < SIZE);
	set_list(BASE + at);
	return at + 32;
}

static void
add_vm(void)
{
	size_t d = new_entry(32);
	put(d + 16, EXIT, 8);
}

struct fun {
	uint32_t start, end;
	const char *name;
};

/* Returns where its data is. */
static size_t
add_module(const char *name, uint64_t base, const struct fun *f, unsigned n, uint32_t code)
{
	size_t size = 32 + strlen(name) + 1;
	for (unsigned i = 0; i < n; i++)
		size += 16 + strlen(f[i].name) + 1 + 12 + 6;
	size_t d = new_entry(size), p = d + 32 + strlen(name) + 1;
	put(d, 1, 4);
	put(d + 8, base, 8);
	put(d + 16, n, 4);
	put(d + 20, code, 4);
	put(d + 24, strlen(name) + 1, 2);
	memcpy(mem + d + 26, name, strlen(name) + 1);
	for (unsigned i = 0; i < n; i++) {
		put(p, f[i].start, 4);
		put(p + 4, f[i].end, 4);
		put(p + 8, 1, 4);
		put(p + 12, strlen(f[i].name) + 1, 2);
		memcpy(mem + p + 14, f[i].name, strlen(f[i].name) + 1);
		p += 16 + strlen(f[i].name) + 1;
		put(p + 8, 6, 2);
		memcpy(mem + p + 10, "a.erl", 6);
		p += 12 + 6;
	}
	assert_int_equal(p, d + size);
	return d;
}

static const struct fun shop[] = {{0, 0x40, "shop::codeHeader"}, {0x40, 0x70, "shop:sell/1-CodeInfoPrologue"},
    {0x70, 0x100, "shop:sell/1"}, {0x100, 0x130, "shop:'buy it'/2-CodeInfoPrologue"},
    {0x130, 0x200, "shop:'buy it'/2"}};

/* A VM with some modules that have one function each, and then shop. */
static size_t
make_vm(void)
{
	memset(mem, 0, sizeof mem);
	used = FIRST;
	list = 0;
	put(DESC, 1, 4);
	add_vm();
	for (unsigned i = 0; i < 8; i++) {
		char name[32], fun[64];
		snprintf(name, sizeof name, "m%u", i);
		snprintf(fun, sizeof fun, "m%u:f/0", i);
		add_module(name, CODE + 0x10000 * (i + 1), &(struct fun){0, 0x1000, fun}, 1, 0x1000);
	}
	return add_module("shop", CODE, shop, 5, 0x200);
}

static bool
look(struct jit *b)
{
	struct spending sp = spend_begin(NULL);
	*b = (struct jit){0};
	return jit_look(b, &memory, mem, FIRST, BASE, &sp);
}

static bool
follow(struct jit *b)
{
	struct spending sp = spend_begin(NULL);
	return jit_follow(b, &memory, &sp);
}

static const char *
name_at(const struct jit *b, uint64_t addr)
{
	const struct symrow *r = jit_find(b, addr);
	return r ? b->names.text + r->name : "none";
}

static void
names(void **state)
{
	struct jit b;
	(void)state;
	make_vm();
	assert_true(look(&b));
	assert_true(b.descriptor == BASE + DESC);
	assert_true(b.normal_exit == EXIT);
	assert_false(b.has_frame_pointers);
	assert_string_equal(name_at(&b, CODE + 0x70), "shop:sell/1");
	assert_string_equal(name_at(&b, CODE + 0x61), "shop:sell/1");
	assert_string_equal(name_at(&b, CODE + 0xff), "shop:sell/1");
	/* Nothing runs at the start of a function: it is where the call at the end of the one before returns to. */
	assert_string_equal(name_at(&b, CODE + 0x100), "shop:sell/1");
	assert_string_equal(name_at(&b, CODE + 0x1ff), "shop:'buy it'/2");
	assert_string_equal(name_at(&b, CODE + 0x201), "none");
	assert_string_equal(name_at(&b, CODE + 0x10001), "m0:f/0");
	jit_free(&b);
}

/* A list with anything wrong in it is not the VM's. */
static void
wrong(void **state)
{
	struct jit b;
	(void)state;
	size_t d = make_vm();
	static const struct {
		int at;
		uint64_t v;
		size_t n;
	} bad[] = {
	    {0, 7, 4},                  /* kind */
	    {8, (uint64_t)1 << 47, 8},  /* where its code is */
	    {16, 4, 4},                 /* fewer functions than it has */
	    {16, 6, 4},                 /* more */
	    {16, 0, 4},                 /* none */
	    {20, 0x1ff, 4},             /* a function behind its code */
	    {24, 4, 2},                 /* a name without its end */
	    {24, 6, 2},                 /* a name with more behind its end */
	    {-8, 31, 8},                /* bytes of data */
	    {-8, 200, 8},               /* fewer than there are */
	    {-8, (uint64_t)1 << 40, 8}, /* more than there may be */
	    {-16, 8, 8},                /* where its data is */
	    {-32, 8, 8},                /* the next entry */
	    {-32, 0, 8},                /* no other modules, nothing about the VM */
	    {37, 0x50, 4},              /* functions that overlap */
	    {41, 0x50, 4}, {45, 2, 4},  /* lines */
	    {49, 0xffff, 2},            /* bytes of a name */
	};
	for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++) {
		make_vm();
		put((size_t)((int)d + bad[i].at), bad[i].v, bad[i].n);
		if (look(&b))
			fail_msg("taken: %u", i);
		assert_int_equal(b.names.n, 0);
	}
	make_vm();
	put(DESC, 2, 4);
	assert_false(look(&b));
	make_vm();
	put(DESC + 16, 0, 8);
	assert_false(look(&b));
	/* A list without end. */
	make_vm();
	put(FIRST, list, 8);
	assert_false(look(&b));
}

/* What was purged before the first look does not count. What is replaced later has no name, or the common one. */
static void
replaced(void **state)
{
	static const struct fun second[] = {{0, 0x40, "shop:return/0"}, {0x40, 0x100, "shop:sell/1"}},
				third[] = {{0, 0x80, "other:f/0"}};
	struct jit b;
	(void)state;
	make_vm();
	add_module("shop", CODE, second, 2, 0x100);
	assert_true(look(&b));
	assert_string_equal(name_at(&b, CODE + 0x30), "shop:return/0");
	assert_string_equal(name_at(&b, CODE + 0x90), "shop:sell/1");
	assert_string_equal(name_at(&b, CODE + 0x150), "none");
	jit_free(&b);

	make_vm();
	assert_true(look(&b));
	unsigned reads = b.nreads;
	assert_true(follow(&b));
	assert_int_equal(b.nreads, reads); /* nothing to read */
	add_module("shop", CODE, second, 2, 0x100);
	assert_true(follow(&b));
	assert_string_equal(name_at(&b, CODE + 0x31), "none");
	assert_string_equal(name_at(&b, CODE + 0x91), "shop:sell/1"); /* both say so */
	assert_string_equal(name_at(&b, CODE + 0x151), "shop:'buy it'/2");
	add_module("other", CODE + 0x8000, third, 1, 0x80);
	assert_true(follow(&b));
	assert_string_equal(name_at(&b, CODE + 0x8001), "other:f/0");
	assert_string_equal(name_at(&b, CODE + 0x8001), "other:f/0");
	jit_free(&b);
}

/* A list that cannot be read changes nothing. */
static void
unreadable(void **state)
{
	struct jit b;
	(void)state;
	make_vm();
	assert_true(look(&b));
	set_list(8);
	assert_false(follow(&b));
	assert_string_equal(name_at(&b, CODE + 0x71), "shop:sell/1");
	jit_free(&b);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(names),
	    cmocka_unit_test(wrong),
	    cmocka_unit_test(replaced),
	    cmocka_unit_test(unreadable),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
