/*
 * A firing that counts is interrupted after each of its machine instructions in turn, and a cut is made there. The
 * firing itself may be on either side of the cut. What is counted afterwards must be behind it.
 */
#include "engine/user/user.h"

#include "eng.h"
#include "step.h"

static struct as a;
static struct engine *e;
static volatile sig_atomic_t step, stop_at;

static int
builtin(struct firing *f, enum dif_builtin id, uint64_t index, uint64_t *num, const void **mem, size_t *len)
{
	(void)index, (void)mem, (void)len;
	*num = 0;
	if (f->args[1])
		step_switch(id == DIF_BI_PID);
	return 0;
}

static int
text(struct firing *f, unsigned n, const void **mem, size_t *len, struct eng_same *same)
{
	(void)f, (void)n;
	*mem = "text";
	*len = 5;
	*same = (struct eng_same){1, 1};
	return 0;
}

static const struct firing_ops ops = {.builtin = builtin, .argmem = text};

static void
on_trap(int sig, siginfo_t *si, void *context)
{
	(void)sig, (void)si;
	if (++step != stop_at)
		return;
	step_no_more(context);
	agg_cut(user_of(e));
}

/* @[arg0] = count() */
static void
make_program(void)
{
	as_init(&a);
	as_key(&a, DK_STRING, 0, false);
	int32_t agg = as_agg(&a, AGG_COUNT, 1);
	as_clause(&a);
	as_op(&a, DIF_LDARG, 0, 0, 0, 0);
	as_op(&a, DIF_STSL, 0, 0, 0, 0);
	as_op(&a, DIF_LDBI, 2, 0, 0, DIF_BI_PID); /* the steps begin */
	as_op(&a, DIF_AGG, 0, 0, 0, agg);
	as_op(&a, DIF_LDBI, 2, 0, 0, DIF_BI_PPID); /* they end */
	as_end(&a);
}

static void
count(bool steps)
{
	struct firing f = {.thread = 1, .nargs = 2, .args = {DIF_ADDR(DIF_R_ARG, 0), steps}, .ops = &ops};
	engine_user.fire(e, &f);
}

/* Adds up what is counted behind the newest cut, and in all. */
struct counts {
	uint16_t cut;
	uint64_t behind, all;
};

static void
add(void *arg, unsigned agg, const void *key, size_t keylen, const uint64_t *words)
{
	struct counts *c = arg;
	(void)key, (void)keylen;
	c->all += *words;
	if (ENG_CUT_OF(agg) == c->cut)
		c->behind += *words;
}

static void
interrupt(bool known)
{
	bool done = false;
	for (stop_at = 1; !done; stop_at++) {
		if (known)
			count(false);
		step = 0;
		count(true);
		done = step < stop_at;
		count(false);
		struct counts c = {.cut = ENG_CUT_OF(atomic_load(&user_of(e)->cut))};
		engine_user.snap(e, add, &c);
		assert_int_equal(c.all, 2 + known);
		if (!done && c.behind < 1)
			fail_msg("after instruction %d", (int)stop_at);
	}
	assert_true(stop_at > 20);
}

static void
test_cut_while_counting(void **state)
{
	(void)state;
	struct eng_conf c = as_conf();
	if (!step_begin(on_trap)) {
		print_message("a thread cannot step here\n");
		skip();
	}
	make_program();
	e = eng_new(&a, &c);
	eng_bind(e, 4, 0);
	eng_go(e);
	interrupt(false);
	interrupt(true);
	engine_user.destroy(e);
	signal(SIGTRAP, SIG_DFL);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_cut_while_counting)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
