/*
 * Records of several shards in order of time.
 *
 * Each shard gives its records in the order in which it wrote them. A committed speculation comes with older times. It
 * keeps its place in the shard, so a record is ordered by the latest time seen in its shard so far. Shards are emptied
 * one after the other while probes fire. So a record that is newer than the beginning of the turn (`until`) may belong
 * behind records that another shard has not given yet; it waits for the next turn.
 *
 * Without the option temporal the order is shard by shard, with only BEGIN first and END last.
 */
#include "consume/consume.h"

#include <stdlib.h>
#include <string.h>

#ifdef ET_TINY
enum { FIRST_RECS = 1, FIRST_BYTES = 8 };
#else
enum { FIRST_RECS = 256, FIRST_BYTES = 16 << 10 };
#endif

void
cs_store_free(struct cs_store *s)
{
	free(s->recs);
	free(s->bytes);
	*s = (struct cs_store){0};
}

static bool
store_add(struct cs_store *s, const struct cs_rec *rec, const char *data, size_t len)
{
	if (s->n == s->cap) {
		size_t cap = s->cap ? s->cap * 2 : FIRST_RECS;
		struct cs_rec *recs = realloc(s->recs, cap * sizeof *recs);
		if (!recs)
			return false;
		s->recs = recs;
		s->cap = cap;
	}
	size_t need = (len + 7) & ~(size_t)7;
	if (s->room - s->len < need) {
		size_t room = s->room ? s->room : FIRST_BYTES;
		while (room - s->len < need)
			room *= 2;
		char *bytes = realloc(s->bytes, room);
		if (!bytes)
			return false;
		s->bytes = bytes;
		s->room = room;
	}
	s->recs[s->n] = *rec;
	s->recs[s->n].off = s->len;
	s->recs[s->n].r.data = NULL;
	s->n++;
	if (len)
		memcpy(s->bytes + s->len, data, len);
	s->len += need;
	return true;
}

static size_t
data_len(const struct consumer *c, uint32_t epid)
{
	const struct eng_epid *ep = c->ops->epid(c->e, epid);
	return ep && ep->group < c->o->ngroups ? c->o->groups[ep->group].recsize : 0;
}

static void
gather_one(void *arg, unsigned shard, const struct eng_rec *r)
{
	struct consumer *c = arg;
	struct cs_store *s = &c->store;
	struct cs_rec rec = {.r = *r, .order = r->time, .seq = s->n, .source = cs_source(c)};
	size_t len = r->fault >= 0 || !r->data ? 0 : data_len(c, r->epid);
	if (s->failed)
		return;
	if (s->n && s->shard == shard && s->recs[s->n - 1].order > rec.order)
		rec.order = s->recs[s->n - 1].order;
	s->shard = shard;
	if (!store_add(s, &rec, r->data, len))
		s->failed = true;
}

void
cs_gather(struct consumer *c)
{
	c->store.shard = UINT32_MAX;
	c->ops->drain(c->e, gather_one, c);
}

static int
cmp_recs(const void *a, const void *b)
{
	const struct cs_rec *x = a, *y = b;
	if (x->order != y->order)
		return x->order < y->order ? -1 : 1;
	return x->seq < y->seq ? -1 : x->seq > y->seq;
}

/* Returns 0 for BEGIN, 2 for END, 1 for all others. */
static uint64_t
rank(const struct consumer *c, uint32_t epid)
{
	const struct eng_epid *ep = c->ops->epid(c->e, epid);
	if (!ep || ep->probe >= c->nprobes)
		return 1;
	enum eng_role role = eng_role_of(c->probes[ep->probe].provider, c->probes[ep->probe].name);
	return role == ROLE_BEGIN ? 0 : role == ROLE_END ? 2 : 1;
}

size_t
cs_order(struct consumer *c, uint64_t until, bool final)
{
	struct cs_store *s = &c->store;
	bool temporal = c->opts->num[OPT_TEMPORAL] != 0, sorted = true;
	for (size_t i = 0; i < s->n; i++) {
		if (!temporal)
			s->recs[i].order = rank(c, s->recs[i].r.epid);
		if (i && s->recs[i].order < s->recs[i - 1].order)
			sorted = false;
	}
	if (!sorted)
		qsort(s->recs, s->n, sizeof *s->recs, cmp_recs);
	size_t n = s->n;
	while (!final && temporal && n && s->recs[n - 1].order >= until)
		n--;
	return n;
}

int
cs_keep(struct consumer *c, size_t n)
{
	struct cs_store *s = &c->store, *l = &c->later;
	l->n = l->len = 0;
	for (size_t i = n; i < s->n; i++) {
		struct cs_rec rec = s->recs[i];
		rec.seq = l->n;
		size_t len = rec.r.fault >= 0 ? 0 : data_len(c, rec.r.epid);
		if (!store_add(l, &rec, s->bytes + rec.off, len))
			return cs_fail(c, ET_ENOMEM, "out of memory for records");
	}
	struct cs_store swap = *s;
	*s = *l;
	*l = swap;
	return 0;
}
