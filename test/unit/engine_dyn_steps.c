/*
 * A thread that reads or writes a number is interrupted after each of its machine instructions in turn, and all that
 * others can do to the number happens there: it is written, freed, and its memory used for another key. Afterwards each
 * key must have what it would have if one of the two had come after the other.
 *
 * The thread steps by the processor's trap flag; what others do runs in the signal handler. Once the thread
 * has a stripe's lock, others would wait for it, so that ends it.
 */
#include "dyn.h"
#include "step.h"

/* Keys of one stripe: the one that the test is about, others that become idle, and others that get new elements. */
enum { TURNED = 2 * IDLE + 2, NEW = KEPT + 2, MATES = 1 + TURNED + NEW, OLD = 7, WRITTEN = 8, OTHER = 9 };
/* The last two are interrupted when they have read the number already, so they know where it was. */
enum { STORE, LOAD, STORE_AGAIN, LOAD_AGAIN, NCLAUSES };

static struct as a;
static struct engine *e;
static uint64_t keys[MATES];
static volatile sig_atomic_t step, stop_at, interrupted;
static void (*others)(void);

/* Shard 1 is that of the thread that is interrupted. */
static int
builtin(struct firing *f, enum dif_builtin id, uint64_t index, uint64_t *num, const void **mem, size_t *len)
{
	(void)index, (void)mem, (void)len;
	*num = 0;
	if (f->shard == 1)
		step_switch(id == DIF_BI_PID);
	return 0;
}

static const struct firing_ops ops = {.builtin = builtin};

static void
make_program(void)
{
	as_init(&a);
	as_key(&a, DK_INT, 8, true);
	int32_t v = as_var(&a, DS_GLOBAL, DK_INT, 8);
	as_assoc(&a, 1);
	int32_t seen = as_var(&a, DS_GLOBAL, DK_INT, 8);
	for (int i = 0; i < NCLAUSES; i++) {
		bool writes = i == STORE || i == STORE_AGAIN;
		as_clause(&a);
		as_op(&a, DIF_LDARG, 0, 0, 0, 0);
		as_op(&a, DIF_STSL, 0, 0, 0, 0);
		as_op(&a, DIF_LDARG, 1, 0, 0, 1);
		if (i == STORE_AGAIN || i == LOAD_AGAIN)
			as_op(&a, DIF_LDA, 3, 0, 0, v);
		as_op(&a, DIF_LDBI, 2, 0, 0, DIF_BI_PID); /* the steps begin */
		if (writes)
			as_op(&a, DIF_STA, 0, 1, 0, v);
		else
			as_op(&a, DIF_LDA, 1, 0, 0, v);
		as_op(&a, DIF_LDBI, 2, 0, 0, DIF_BI_PPID); /* they end */
		as_op(&a, DIF_STG, 0, 1, 0, seen);
		as_end(&a);
	}
}

static void
put_by(unsigned clause, unsigned shard, uint64_t key, uint64_t value)
{
	struct firing f = {.probe = clause, .shard = shard, .thread = 1, .nargs = 2, .args = {key, value}, .ops = &ops};
	engine_user.fire(e, &f);
}

static void
put(unsigned shard, uint64_t key, uint64_t value)
{
	put_by(STORE, shard, key, value);
}

static uint64_t
get_by(unsigned clause, unsigned shard, uint64_t key)
{
	struct firing f = {.probe = clause, .shard = shard, .thread = 1, .nargs = 1, .args = {key}, .ops = &ops};
	engine_user.fire(e, &f);
	return atomic_load(&user_of(e)->gscalars[0]);
}

static uint64_t
get_of(unsigned shard, uint64_t key)
{
	return get_by(LOAD, shard, key);
}

static void
find_keys(void)
{
	struct dyn *d = user_of(e)->dyn;
	struct stripe *st = NULL;
	unsigned n = 0;
	for (uint64_t key = 1; n < MATES; key++) {
		uint32_t before[NSTRIPES];
		for (unsigned i = 0; i < NSTRIPES; i++)
			before[i] = atomic_load(&d->stripes[i].changes);
		put(0, key, 1);
		for (unsigned i = 0; i < NSTRIPES; i++)
			if (before[i] != atomic_load(&d->stripes[i].changes) && (!st || st == &d->stripes[i])) {
				st = &d->stripes[i];
				keys[n++] = key;
			}
		put(0, key, 0);
	}
}

/* Whatever is idle and may be freed makes room for others. */
static void
turn(void)
{
	for (unsigned i = 1; i <= TURNED; i++) {
		put(0, keys[i], 1);
		put(0, keys[i], 0);
	}
}

static void
use_memory(void)
{
	for (unsigned i = 1; i < MATES; i++)
		put(0, keys[i], keys[i] << 8);
}

static void
free_and_use(void)
{
	turn();
	use_memory();
}

static void
end_and_use(void)
{
	put(0, keys[0], 0);
	free_and_use();
}

static void
write_and_use(void)
{
	put(0, keys[0], OTHER);
	free_and_use();
}

static void
write_other(void)
{
	put(0, keys[0], OTHER);
}

static bool
is_locked(void)
{
	const struct dyn *d = user_of(e)->dyn;
	for (unsigned i = 0; i < NSTRIPES; i++)
		if (atomic_load(&d->stripes[i].lock.held))
			return true;
	return atomic_load(&d->lock.held);
}

static void
on_trap(int sig, siginfo_t *si, void *context)
{
	(void)sig, (void)si;
	if (++step != stop_at)
		return;
	step_no_more(context);
	if (!is_locked()) {
		interrupted = true;
		others();
	}
}

/* Runs one firing of a clause for each of its instructions, interrupted there. `first` is what the key has before; it
 * is idle if it has been 0 since its memory was taken. What the firing reads, and what the key has in the end, must be
 * one of two. */
static void
interrupt_clause(
    unsigned clause, uint64_t first, bool idle, uint64_t value, void (*fn)(void), uint64_t one, uint64_t other)
{
	unsigned n = 0;
	bool done = false, writes = clause == STORE || clause == STORE_AGAIN;
	others = fn;
	for (stop_at = 1; !done; stop_at++) {
		uint64_t got = 0;
		put(0, keys[0], first ? first : 1);
		if (idle) {
			put(0, keys[0], 0);
			put(0, keys[0], first);
		}
		step = interrupted = 0;
		if (writes)
			put_by(clause, 1, keys[0], value);
		else
			got = get_by(clause, 1, keys[0]);
		if (step < stop_at)
			break;
		n += interrupted != 0;
		done = !interrupted;
		if (writes)
			got = get_of(0, keys[0]);
		if (got != one && got != other)
			fail_msg(
			    "clause %u, after instruction %d: %llu", clause, (int)stop_at, (unsigned long long)got);
		for (unsigned i = 1; i < MATES; i++) {
			assert_int_equal(get_of(0, keys[i]), done || fn == write_other ? 0 : keys[i] << 8);
			put(0, keys[i], 0);
		}
		check_dyn(e);
		put(0, keys[0], 0);
	}
	assert_true(n >= 20 && n <= (unsigned)stop_at);
}

static void
interrupt(bool writes, uint64_t first, bool idle, uint64_t value, void (*fn)(void), uint64_t one, uint64_t other)
{
	interrupt_clause(writes ? STORE : LOAD, first, idle, value, fn, one, other);
	interrupt_clause(writes ? STORE_AGAIN : LOAD_AGAIN, first, idle, value, fn, one, other);
}

static void
begin(void)
{
	struct eng_conf c = as_conf();
	if (!step_begin(on_trap)) {
		print_message("a thread cannot step here\n");
		skip();
	}
	c.nshards = 2;
	c.dynvarsize = 512 << 10;
	make_program();
	e = eng_new(&a, &c);
	for (unsigned i = 0; i < NCLAUSES; i++)
		assert_int_equal(eng_bind(e, 4 + i, i), i);
	eng_go(e);
	find_keys();
}

static void
end(void)
{
	struct eng_status s = status(e);
	assert_int_equal(s.errors, 0);
	assert_int_equal(s.drops[ENG_DROP_DYNAMIC], 0);
	engine_user.destroy(e);
	signal(SIGTRAP, SIG_DFL);
}

/* The writer is interrupted: a value for a number that was 0, and is being freed. */
static void
test_writing_what_is_freed(void **state)
{
	(void)state;
	begin();
	interrupt(true, 0, true, WRITTEN, free_and_use, WRITTEN, WRITTEN);
	end();
}

static void
test_writing_what_ends(void **state)
{
	(void)state;
	begin();
	interrupt(true, OLD, false, WRITTEN, end_and_use, WRITTEN, 0);
	interrupt(true, OLD, true, WRITTEN, end_and_use, WRITTEN, 0);
	end();
}

static void
test_ending_what_is_written(void **state)
{
	(void)state;
	begin();
	interrupt(true, OLD, false, 0, write_and_use, 0, OTHER);
	interrupt(true, OLD, true, 0, write_and_use, 0, OTHER);
	interrupt(true, OLD, false, 0, write_other, 0, OTHER);
	interrupt(true, OLD, true, 0, write_other, 0, OTHER);
	end();
}

static void
test_reading_what_ends(void **state)
{
	(void)state;
	begin();
	interrupt(false, OLD, true, 0, end_and_use, OLD, 0);
	interrupt(false, OLD, true, 0, write_and_use, OLD, OTHER);
	end();
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_writing_what_is_freed),
	    cmocka_unit_test(test_writing_what_ends),
	    cmocka_unit_test(test_ending_what_is_written),
	    cmocka_unit_test(test_reading_what_ends),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
