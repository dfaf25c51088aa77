/*
 * Turns: sleeping until something is due, and doing it.
 *
 * Records are taken out at switchrate, aggregations at aggrate. Drops are checked at statusrate, speculations cleaned
 * at cleanrate. exit(), a full buffer (bufpolicy=fill) and et_interrupt() end tracing. The turn that notices it stops
 * everything, takes out the rest and says so.
 */
#include "api/handle.h"

#include "base/clock.h"

#include <errno.h>
#include <poll.h>
#include <unistd.h>

enum {
	LOOK_NS = 50000000,   /* how late exit() is noticed if the engine cannot wake us … */
	FIRST_LOOK = 1000000, /* … but at first sooner, because many scripts end soon: the time doubles from this on */
	ALERTS_NS = 400000000, /* how often alerts over aggregations are looked at, at most */
	SHORTEST_NS = 100000,  /* a rate cannot be higher than this */
};

static uint64_t
rate(const struct et *h, enum opt_id id)
{
	int64_t ns = h->opts.num[id];
	return ns < SHORTEST_NS ? SHORTEST_NS : (uint64_t)ns;
}

void
et_wake(struct et *h)
{
	int err = errno;
	uint64_t one = 1;
	/* A full counter means that it is awake already. */
	ssize_t n = write(h->wakefd, &one, sizeof one);
	(void)n;
	errno = err;
}

void
et_interrupt(struct et *h)
{
	atomic_store(&h->interrupted, true);
	et_wake(h);
}

/* Whether tracing must end. */
static bool
is_over(struct et *h, struct eng_status *st)
{
	api_status(h, st);
	return st->exiting || st->filled || st->lost || st->ended || atomic_load(&h->interrupted);
}

static uint64_t
next_due(const struct et *h)
{
	uint64_t due = h->last_switch + rate(h, OPT_SWITCHRATE);
	uint64_t agg = h->last_agg + rate(h, OPT_AGGRATE), status = h->last_status + rate(h, OPT_STATUSRATE);
	if (h->obj.naggs && agg < due)
		due = agg;
	return status < due ? status : due;
}

static void
clean(struct et *h, uint64_t now)
{
	if (h->speculates && now - h->last_clean >= rate(h, OPT_CLEANRATE)) {
		h->ops->clean(h->engine);
		h->last_clean = now;
	}
}

void
et_sleep(struct et *h)
{
	struct eng_status st;
	if (h->state != HS_GOING)
		return;
	for (;;) {
		uint64_t now = mono_ns(), due = next_due(h), count;
		h->look = !h->look ? FIRST_LOOK : h->look < LOOK_NS / 2 ? 2 * h->look : LOOK_NS;
		uint64_t most = h->look;
		clean(h, now);
		if (now >= due)
			return;
		if (h->ops->fetch)
			h->ops->fetch(h->engine);
		if (is_over(h, &st))
			return;
		if (h->speculates && rate(h, OPT_CLEANRATE) < most)
			most = rate(h, OPT_CLEANRATE);
		uint64_t wait = due - now < most ? due - now : most;
		struct timespec ts = {(time_t)(wait / 1000000000u), (long)(wait % 1000000000u)};
		struct pollfd fd = {.fd = h->wakefd, .events = POLLIN};
		int n = ppoll(&fd, 1, &ts, NULL);
		if (n > 0 && read(h->wakefd, &count, sizeof count) == sizeof count)
			return;
		if (n < 0)
			return;
	}
}

enum et_status
et_status(struct et *h)
{
	struct eng_status st;
	switch (h->state) {
	case HS_OPEN:
		return ET_STATUS_NONE;
	case HS_GOING:
		api_status(h, &st);
		return st.exiting ? ET_STATUS_EXITED : st.filled ? ET_STATUS_FILLED : ET_STATUS_OKAY;
	default:
		return h->exited ? ET_STATUS_EXITED : h->filled ? ET_STATUS_FILLED : ET_STATUS_STOPPED;
	}
}

int
et_exit_status(struct et *h)
{
	struct eng_status st = {0};
	if (h->engine)
		api_status(h, &st);
	return st.exiting ? st.exit_status : 0;
}

int
et_clocks(struct et *h, et_clock_f *fn, void *arg)
{
	const struct engine_sources *nodes = h->engine ? h->ops->sources : NULL;
	for (unsigned i = 0; nodes && i < nodes->count(h->engine); i++) {
		struct et_clock c = {.node = nodes->name(h->engine, i), .lost = nodes->is_lost(h->engine, i)};
		nodes->clock(h->engine, i, &c.ahead, &c.within);
		fn(&c, arg);
	}
	return 0;
}

int
et_cost(struct et *h, struct et_cost *c)
{
	struct eng_status st = {0};
	*c = (struct et_cost){0};
	if (h->state == HS_OPEN)
		return api_fail(h, ET_EORDER, "tracing was not started");
	if (h->engine && h->ops->meter)
		h->ops->meter(h->engine);
	if (h->engine)
		api_status(h, &st);
	*c = (struct et_cost){st.metered, st.spent};
	return 0;
}

static bool
check_output(struct et *h, FILE *fp)
{
	if (h->state == HS_OPEN)
		api_fail(h, ET_EORDER, "tracing was not started");
	else if (!fp && !h->on.buffered)
		api_fail(h, ET_EINVAL, "there is neither a stream nor a handler for buffered output");
	else
		return true;
	return false;
}

/* Takes out everything that is left, after the engine has stopped. */
static int
finish(struct et *h, const struct cs_to *to)
{
	struct eng_status st;
	if (h->speculates)
		h->ops->clean(h->engine);
	if (cs_snap_whole(&h->cs, CS_THE_END) != 0 || cs_records(&h->cs, to, 0, true) != 0 ||
	    cs_conditions(&h->cs, to) != 0)
		return -1;
	api_status(h, &st);
	if (cs_drops(&h->cs, &st) != 0 || cs_news(&h->cs, true) != 0)
		return -1;
	return st.lost ? cs_fail(&h->cs, ET_EENGINE, "the engine is gone: %s", st.lost) : 0;
}

static int
turn(struct et *h, const struct cs_to *to, const struct eng_status *st)
{
	uint64_t now = mono_ns();
	clean(h, now);
	api_watch(h);
	if (h->obj.naggs && (atomic_exchange(&h->cut, false) || now - h->last_agg >= rate(h, OPT_AGGRATE))) {
		h->last_agg = now;
		if (cs_snap(&h->cs) != 0)
			return -1;
		if (now - h->last_look >= ALERTS_NS) {
			h->last_look = now;
			if (cs_conditions(&h->cs, to) != 0)
				return -1;
		}
	}
	if (now - h->last_switch >= rate(h, OPT_SWITCHRATE)) {
		h->last_switch = now;
		if (h->opts.num[OPT_BUFPOLICY] == BUF_SWITCH && cs_records(&h->cs, to, now, false) != 0)
			return -1;
	}
	if (now - h->last_status >= rate(h, OPT_STATUSRATE)) {
		h->last_status = now;
		return cs_drops(&h->cs, st);
	}
	return 0;
}

enum et_workstatus
et_work(struct et *h, FILE *fp, et_probe_cb *pcb, et_rec_cb *rcb, void *arg)
{
	struct cs_to to = {fp, pcb, rcb, arg};
	struct eng_status st;
	if (!check_output(h, fp))
		return ET_WORKSTATUS_ERROR;
	if (h->state == HS_GOING && is_over(h, &st))
		api_halt(h);
	int rc = h->state == HS_GOING ? turn(h, &to, &st) : finish(h, &to);
	if (rc != 0) {
		api_fail_cs(h);
		return ET_WORKSTATUS_ERROR;
	}
	return h->state == HS_GOING ? ET_WORKSTATUS_OKAY : ET_WORKSTATUS_DONE;
}

int
et_consume(struct et *h, FILE *fp, et_probe_cb *pcb, et_rec_cb *rcb, void *arg)
{
	struct cs_to to = {fp, pcb, rcb, arg};
	if (!check_output(h, fp))
		return -1;
	if (h->state == HS_GOING && h->opts.num[OPT_BUFPOLICY] != BUF_SWITCH)
		return 0;
	return cs_records(&h->cs, &to, mono_ns(), h->state != HS_GOING) == 0 ? 0 : api_fail_cs(h);
}
