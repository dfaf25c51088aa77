/*
 * Records on their way out of the kernel, from the ring buffer.
 *
 * Records of a speculation are held here until it is committed or discarded.
 * With bufpolicy ring, all records are held, the newest of each CPU.
 */
#include "engine/kernel/kern.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

typedef void rec_fn(void *arg, unsigned shard, const struct eng_rec *rec);

struct held {
	struct held *next;
	uint32_t size;
	struct rt_rec rec; /* and its data */
};

static void
give(struct kernel_engine *e, const struct rt_rec *r, rec_fn *fn, void *arg)
{
	struct eng_rec rec = {
	    .epid = r->epid, .cpu = r->cpu, .cut = r->cut, .time = r->time, .data = (const char *)(r + 1), .fault = -1};
	if (r->type == RT_RT_FAULT) {
		rec.fault = r->fault;
		rec.fault_action = r->fault_action;
		rec.fault_pc = r->fault_pc;
		rec.fault_value = r->fault_value;
	}
	fn(arg, r->shard % e->conf.nshards, &rec);
}

static void
count_drop(struct kernel_engine *e, enum eng_drop why)
{
	__atomic_fetch_add(&e->ctl->drops[why], 1, __ATOMIC_RELAXED);
}

static void
hold(struct kernel_engine *e, const struct rt_rec *r, uint32_t size)
{
	struct held *h = malloc(sizeof *h + size);
	if (!h) {
		count_drop(e, ENG_DROP_SPEC);
		return;
	}
	h->next = NULL;
	h->size = size;
	memcpy(&h->rec, r, size);
	if (e->held_last)
		e->held_last->next = h;
	else
		e->held = h;
	e->held_last = h;
}

/* Ends a speculation: gives its records in order to the consumer, or drops them. */
static void
release(struct kernel_engine *e, uint32_t spec, rec_fn *fn, void *arg)
{
	struct held **at = &e->held, *h, *last = NULL;
	while ((h = *at)) {
		if (h->rec.spec != spec) {
			last = h;
			at = &h->next;
			continue;
		}
		*at = h->next;
		if (fn)
			give(e, &h->rec, fn, arg);
		free(h);
	}
	e->held_last = last;
}

void
kern_held_free(struct kernel_engine *e)
{
	for (struct held *h = e->held, *next; h; h = next) {
		next = h->next;
		free(h);
	}
	e->held = e->held_last = NULL;
}

static void
take(struct kernel_engine *e, const struct rt_rec *r, uint32_t size, rec_fn *fn, void *arg)
{
	switch (r->type) {
	case RT_RT_COMMIT:
		release(e, r->spec, fn, arg);
		break;
	case RT_RT_DISCARD:
		release(e, r->spec, NULL, NULL);
		break;
	default:
		if (r->spec)
			hold(e, r, size);
		else
			give(e, r, fn, arg);
		break;
	}
}

/* Returns what a record takes of its CPU's bufsize. */
static uint64_t
cost(const struct rt_rec *r, uint32_t size)
{
	return r->spec ? 0 : RT_REC_COST + (r->type == RT_RT_FAULT ? 16 : size - sizeof *r);
}

/* Returns the records from *at on, one by one, and NULL at the end. */
static const struct rt_rec *
next_record(struct kernel_engine *e, uint64_t *at, uint64_t end, uint32_t *size)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	while (*at < end) {
		char *p = e->ring_data + page + (*at & (e->ring_size - 1));
		uint32_t len = __atomic_load_n((uint32_t *)(void *)p, __ATOMIC_ACQUIRE);
		if (len & BPF_RINGBUF_BUSY_BIT)
			return NULL;
		*size = len & ~(uint32_t)BPF_RINGBUF_DISCARD_BIT;
		*at += (*size + BPF_RINGBUF_HDR_SZ + 7) & ~7u;
		if (!(len & BPF_RINGBUF_DISCARD_BIT))
			return (const struct rt_rec *)(void *)(p + BPF_RINGBUF_HDR_SZ);
	}
	return NULL;
}

/*
 * Policy ring: gives the newest records of each CPU that fit into bufsize. While tracing goes on, older ones are
 * removed at the front to make room.
 */
static void
drain_ring(struct kernel_engine *e, bool stopped, rec_fn *fn, void *arg)
{
	uint64_t *consumer = (uint64_t *)(void *)e->ring_ctl, *producer = (uint64_t *)(void *)e->ring_data;
	uint64_t at = __atomic_load_n(consumer, __ATOMIC_ACQUIRE), end = __atomic_load_n(producer, __ATOMIC_ACQUIRE);
	const struct rt_rec *r;
	uint32_t size;
	uint64_t *held = calloc(e->ncpus, sizeof *held);
	if (!held)
		return;
	for (uint64_t i = at; (r = next_record(e, &i, end, &size));)
		held[r->shard % e->ncpus] += cost(r, size);
	for (uint64_t from = at; (r = next_record(e, &at, end, &size)); from = at) {
		uint64_t *bytes = &held[r->shard % e->ncpus];
		bool old = *bytes > e->conf.bufsize;
		if (!old && !stopped) {
			at = from;
			break;
		}
		*bytes -= cost(r, size);
		if (r->shard < RT_MAXCPU)
			__atomic_fetch_add(&e->ctl->taken[r->shard], cost(r, size), __ATOMIC_RELAXED);
		if (!old)
			take(e, r, size, fn, arg);
		__atomic_store_n(consumer, at, __ATOMIC_RELEASE);
	}
	free(held);
}

void
kern_drain(struct engine *engine, rec_fn *fn, void *arg)
{
	struct kernel_engine *e = kernel_of(engine);
	bool stopped = __atomic_load_n(&e->ctl->state, __ATOMIC_ACQUIRE) == RT_STOPPED;
	if (e->conf.bufpolicy == BUF_RING) {
		drain_ring(e, stopped, fn, arg);
		return;
	}
	if (e->conf.bufpolicy == BUF_FILL && !stopped)
		return;
	uint64_t *consumer = (uint64_t *)(void *)e->ring_ctl, *producer = (uint64_t *)(void *)e->ring_data;
	uint64_t at = __atomic_load_n(consumer, __ATOMIC_ACQUIRE), end = __atomic_load_n(producer, __ATOMIC_ACQUIRE);
	const struct rt_rec *r;
	uint32_t size;
	while ((r = next_record(e, &at, end, &size))) {
		if (r->shard < RT_MAXCPU)
			__atomic_fetch_add(&e->ctl->taken[r->shard], cost(r, size), __ATOMIC_RELAXED);
		take(e, r, size, fn, arg);
		__atomic_store_n(consumer, at, __ATOMIC_RELEASE);
	}
}

/* Waits until every firing that is running now has ended. Later firings add to the other set. */
void
kern_wait(struct kernel_engine *e)
{
	for (uint32_t i = 0; i < e->ncpus * RT_LEVELS; i++) {
		const struct rt *st = (const struct rt *)(const void *)(e->states + i * e->statestep);
		uint64_t gen = __atomic_load_n(&st->gen, __ATOMIC_ACQUIRE);
		while (__atomic_load_n(&st->busy, __ATOMIC_ACQUIRE) &&
		       __atomic_load_n(&st->gen, __ATOMIC_ACQUIRE) == gen) {
			struct timespec t = {.tv_nsec = 20000};
			nanosleep(&t, NULL);
		}
	}
}
