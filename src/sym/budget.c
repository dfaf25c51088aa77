/* Budgets; see budget.h. */
#include "sym/budget.h"

#include "base/clock.h"

#include <time.h>

enum { MS = 1000000, LOOK = 512 }; /* LOOK: turns of a loop between two looks at the clock */

struct budget
budget_large(void)
{
	return (struct budget){
	    .file = {(uint64_t)1 << 30, 16u << 20, 200000, 1000000},
	    .left = {(uint64_t)4 << 30, 64u << 20, 1000000, 4000000},
	    .cpu = (int64_t)60000 * MS,
	    .file_cpu = (int64_t)20000 * MS,
	    .wait = (int64_t)10000 * MS,
	    .call_wait = (int64_t)5000 * MS,
	    .takes_fuse = true,
	};
}

struct budget
budget_small(void)
{
	return (struct budget){
	    .file = {96u << 20, 1000000, 20000, 10000},
	    .left = {192u << 20, 2000000, 50000, 500000},
	    .cpu = (int64_t)400 * MS,
	    .file_cpu = (int64_t)250 * MS,
	    .wait = (int64_t)3000 * MS,
	    .call_wait = (int64_t)1000 * MS,
	};
}

static int64_t
cpu_now(void)
{
	return (int64_t)clock_ns(CLOCK_THREAD_CPUTIME_ID);
}

struct spending
spend_begin(struct budget *b)
{
	return (struct spending){.b = b, .from = b ? cpu_now() : 0};
}

bool
spend(struct spending *s, enum spend what, uint64_t n)
{
	static const char *const file[SPEND_N] = {"it is too large", "it has too many symbols",
	    "it has too many USDT notes", "it has too many sections"},
				 *const all[SPEND_N] = {"its user's files are too large together",
				     "its user's files have too many symbols together",
				     "its user's files have too many USDT notes together",
				     "its user's files have too many sections together"};
	if (s->over)
		return false;
	if (!s->b)
		return true;
	if (n > s->b->file[what] || s->used[what] > s->b->file[what] - n) {
		s->over = file[what];
		return false;
	}
	for (const struct budget *b = s->b; b; b = b->all)
		if (n > b->left[what]) {
			s->over = all[what];
			return false;
		}
	for (struct budget *b = s->b; b; b = b->all)
		b->left[what] -= n;
	s->used[what] += n;
	return true;
}

bool
spend_stopped(const struct spending *s)
{
	for (const struct budget *b = s->b; b; b = b->all)
		if (b->stopped && b->stopped(b->arg))
			return true;
	return false;
}

static bool
is_late(struct spending *s)
{
	int64_t spent = cpu_now() - s->from;
	bool late = spent > s->b->file_cpu, stopped = spend_stopped(s);
	for (const struct budget *b = s->b; b; b = b->all)
		late |= spent > b->cpu;
	if (late || stopped)
		s->over = stopped ? "looking was ended" : "it takes too long";
	return late || stopped;
}

bool
spend_time(struct spending *s)
{
	if (s->over)
		return false;
	return !s->b || s->calls++ % LOOK || !is_late(s);
}

bool
spend_look(struct spending *s)
{
	return !s->over && (!s->b || !is_late(s));
}

void
spend_end(struct spending *s)
{
	int64_t spent = s->b ? cpu_now() - s->from : 0;
	for (struct budget *b = s->b; b; b = b->all)
		b->cpu -= spent;
	s->b = NULL;
}
