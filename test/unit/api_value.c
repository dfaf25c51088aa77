/* et_value_text(): the text of keys and frames that every output shows. Only <erltrace.h>. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "erltrace.h"

#include <stdlib.h>
#include <string.h>

/* Code of one module, of code without a file, and of a module without symbols. */
static bool
name(void *arg, int64_t pid, uint64_t addr, const char **module, const char **symbol, uint64_t *off)
{
	(void)arg;
	(void)pid;
	*module = addr < 0x200 ? "libshop" : addr < 0x300 ? "" : "bare";
	*symbol = addr < 0x200 ? "sell" : addr < 0x300 ? "shop:sell/2" : NULL;
	*off = addr & 0xff;
	return addr < 0x400;
}

static void
expect(struct et *h, struct et_value v, const char *want)
{
	char *text = et_value_text(h, &v);
	assert_non_null(text);
	assert_string_equal(text, want);
	free(text);
}

static struct et *
open_named(void)
{
	int err;
	struct et *h = et_open(ET_VERSION, &err);
	assert_non_null(h);
	assert_int_equal(et_set_symboliser(h, name, NULL), 0);
	return h;
}

static void
each_kind(void **state)
{
	(void)state;
	struct et *h = open_named();
	uint64_t pcs[] = {0x310, 0x210, 0x110, 0x410, 0};
	expect(h, (struct et_value){.kind = ET_K_STRING, .data = "a;b", .len = 3}, "a;b");
	expect(h, (struct et_value){.kind = ET_K_STRING, .data = "", .len = 0}, "");
	expect(h, (struct et_value){.kind = ET_K_BYTES, .data = "\x00\xff\x0a", .len = 3}, "00ff0a");
	expect(h, (struct et_value){.kind = ET_K_STACK, .pcs = pcs, .npcs = 5, .pid = 1},
	    "0x410;libshop`sell;shop:sell/2;bare`0x310");
	expect(h, (struct et_value){.kind = ET_K_STACK}, "");
	expect(h, (struct et_value){.kind = ET_K_SYMBOL, .num = 0x110}, "libshop`sell");
	expect(h, (struct et_value){.kind = ET_K_SYMBOL, .num = 0x110, .form = ET_SYM_MODULE}, "libshop");
	expect(h, (struct et_value){.kind = ET_K_SYMBOL, .num = 0x210, .form = ET_SYM_MODULE}, "[jit]");
	expect(h, (struct et_value){.kind = ET_K_SYMBOL, .num = 0x110, .form = ET_SYM_OFFSET}, "libshop`sell+0x10");
	expect(h, (struct et_value){.kind = ET_K_SYMBOL, .num = 0x100, .form = ET_SYM_OFFSET}, "libshop`sell");
	expect(h, (struct et_value){.kind = ET_K_SYMBOL, .num = 0x410}, "0x410");
	const char *module, *symbol;
	uint64_t off;
	assert_true(et_symbol(h, 1, 0x110, &module, &symbol, &off));
	assert_string_equal(module, "libshop");
	assert_string_equal(symbol, "sell");
	assert_int_equal(off, 0x10);
	assert_false(et_symbol(h, 1, 0x410, &module, &symbol, &off));
	assert_int_equal(et_setopt(h, "noresolve", NULL), 0);
	expect(h, (struct et_value){.kind = ET_K_SYMBOL, .num = 0x110}, "0x110");
	expect(h, (struct et_value){.kind = ET_K_STACK, .pcs = pcs, .npcs = 2}, "0x210;0x310");
	et_close(h);
}

static enum et_aggwalk
on_key(struct et_aggdata *a, void *arg)
{
	char **texts = arg;
	assert_int_equal(a->nkeys, 1);
	assert_true(a->id < 11);
	texts[a->id] = et_value_text(a->h, &a->keys[0]);
	return ET_AGGWALK_NEXT;
}

/* What the script says its keys are is what their text shows. */
static void
keys_of_a_script(void **state)
{
	(void)state;
	static const char *const want[] = {"18446744073709551615", "-1", "4294967295", "-1", "65535", "-1", "255", "-1",
	    "libshop`sell", "libshop", "libshop`sell+0x10"};
	char *texts[11] = {NULL};
	struct et *h = open_named();
	struct et_prog *p = et_program_strcompile(h,
	    "BEGIN { @a[(uint64_t)-1] = count(); @b[(int64_t)-1] = count(); @c[(uint32_t)-1] = count();"
	    " @d[(int32_t)-1] = count(); @e[(uint16_t)-1] = count(); @f[(int16_t)-1] = count();"
	    " @g[(uint8_t)-1] = count(); @h[(int8_t)-1] = count(); @i[usym((uintptr_t)0x110)] = count();"
	    " @j[umod((uintptr_t)0x110)] = count(); @k[uaddr((uintptr_t)0x110)] = count(); exit(0); }",
	    ET_PROBESPEC_NAME, 0, 0, NULL);
	if (!p)
		fail_msg("%s", et_errmsg(h, et_errno(h)));
	assert_int_equal(et_program_exec(h, p, NULL), 0);
	assert_int_equal(et_go(h), 0);
	FILE *none = fopen("/dev/null", "w");
	assert_non_null(none);
	enum et_workstatus s;
	do {
		et_sleep(h);
		s = et_work(h, none, NULL, NULL, NULL);
	} while (s == ET_WORKSTATUS_OKAY);
	assert_int_equal(s, ET_WORKSTATUS_DONE);
	fclose(none);
	assert_int_equal(et_aggregate_walk(h, ET_AGGSORT_KEY, on_key, texts), 0);
	for (unsigned i = 0; i < 11; i++) {
		assert_non_null(texts[i]);
		assert_string_equal(texts[i], want[i]);
		free(texts[i]);
	}
	et_close(h);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(each_kind),
	    cmocka_unit_test(keys_of_a_script),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
