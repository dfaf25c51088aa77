/*
 * How far the clocks of nodes are from ours.
 *
 * Machines count monotonic time from when they started, and containers may have an offset of their own. So a node is
 * asked for its time: what it says was true at some moment between the question and the answer. The middle of that is
 * wrong by at most half of what the answer took, whatever the network did in the two directions.
 *
 * The fastest of some answers says most. But clocks drift, so an old answer is worth less than a new one: its
 * uncertainty grows by DRIFT, as NTP (RFC 5905) assumes for clocks that nobody corrects. Nodes are asked again every
 * second while a script runs, and the answer that is the most certain at the moment counts.
 */
#include "base/clock.h"
#include "node/cluster.h"
#include "node/term.h"

#include <string.h>

enum {
	FIRST_ASKS = 5,
	AGAIN_NS = 1000000000,
	DRIFT = 66667, /* a clock is wrong by one more ns after so many ns: 15 in a million */
};

static uint64_t
distance(int64_t v)
{
	return v < 0 ? -(uint64_t)v : (uint64_t)v;
}

static uint64_t
uncertainty(const struct clock_answer *a, uint64_t now)
{
	return a->half + (now - a->at) / DRIFT;
}

/* Keeps an answer in the place of the oldest one, and takes the best. */
static void
keep(struct peer *p, uint64_t before, uint64_t after, uint64_t there)
{
	struct clock_answer *newest = &p->clocks[p->nclocks++ % CLOCK_ANSWERS];
	const struct clock_answer *best = newest;
	uint64_t half = (after - before) / 2 + 1;
	*newest = (struct clock_answer){.at = after, .ahead = (int64_t)(there - (before + half)), .half = half};
	for (unsigned i = 0; i < p->nclocks && i < CLOCK_ANSWERS; i++)
		if (uncertainty(&p->clocks[i], after) < uncertainty(best, after))
			best = &p->clocks[i];
	pthread_mutex_lock(&p->c->lock);
	p->ahead = best->ahead;
	p->within = uncertainty(best, after);
	pthread_mutex_unlock(&p->c->lock);
}

/* {time, T} in the list of properties. */
static bool
read_time(const ei_x_buff *x, uint64_t *ns)
{
	int index = 0, n, arity;
	char key[MAXATOMLEN];
	unsigned long long t;
	if (ei_decode_list_header(x->buff, &index, &n))
		return false;
	for (int i = 0; i < n; i++) {
		if (ei_decode_tuple_header(x->buff, &index, &arity) || arity != 2 ||
		    ei_decode_atom(x->buff, &index, key))
			return false;
		if (strcmp(key, "time") == 0) {
			if (ei_decode_ulonglong(x->buff, &index, &t))
				return false;
			*ns = t;
			return true;
		}
		if (!term_skip(x, &index))
			return false;
	}
	return false;
}

void
clock_compare(struct peer *p)
{
	struct why ignored;
	ei_x_buff args, result;
	uint64_t there;
	if (ei_x_new(&args) < 0)
		return;
	ei_x_encode_list_header(&args, 1);
	ei_x_encode_atom(&args, "os_monotonic_time_source");
	ei_x_encode_empty_list(&args);
	for (unsigned i = 0; i < FIRST_ASKS && p->link->fd >= 0 && ei_x_new(&result) == 0; i++) {
		uint64_t before = mono_ns();
		if (node_rpc(p->link, "erlang", "system_info", &args, &result, &ignored) && read_time(&result, &there))
			keep(p, before, mono_ns(), there);
		ei_x_free(&result);
	}
	ei_x_free(&args);
	p->clock_asked = mono_ns();
	/* a node of this machine has our clock, unless it is in a time namespace */
	if (p->link->is_local && distance(p->ahead) <= p->within) {
		p->ahead = 0;
		p->within = 0;
	}
}

void
clock_again(struct peer *p)
{
	struct why ignored;
	ei_x_buff reply;
	char tag[MAXATOMLEN];
	int index, arity;
	unsigned long long there;
	uint64_t before = mono_ns();
	if (!p->within || p->status.lost || before - p->clock_asked < AGAIN_NS || ei_x_new(&reply) < 0)
		return;
	p->clock_asked = before;
	if (node_command(p->link, "clock", &reply, &index, &ignored)) {
		uint64_t after = mono_ns();
		if (!ei_decode_tuple_header(reply.buff, &index, &arity) && arity == 2 &&
		    !ei_decode_atom(reply.buff, &index, tag) && !ei_decode_ulonglong(reply.buff, &index, &there))
			keep(p, before, after, there);
	}
	ei_x_free(&reply);
}
