/*
 * Record buffers and records.
 *
 *   switch  two buffers per shard; firings use one, the consumer reads the other: see turn.c
 *   fill    one buffer; when it is full nothing more goes in, and the engine says so
 *   ring    one buffer; the oldest whole records make room for new ones
 *
 * Some room is always kept so that END's records still fit.
 */
#include "engine/user/user.h"

#include <sched.h>

void
buf_place(struct user_engine *e, struct shard *sh)
{
	for (unsigned i = 0; i < (e->conf.bufpolicy == BUF_SWITCH ? 2 : 1); i++) {
		sh->buf[i].size = up8((size_t)e->conf.bufsize);
		sh->buf[i].at = store_take(&e->store, sh->buf[i].size);
	}
	sh->spec = store_take(&e->store, (e->conf.nspec + 1) * sizeof *sh->spec);
	/* One block for all of them: pages of speculations that never begin are never touched. */
	sh->specmem = store_take(&e->store, e->conf.nspec * up8((size_t)e->conf.specsize));
}

void
buf_init(struct user_engine *e, struct shard *sh)
{
	size_t each = up8((size_t)e->conf.specsize);
	for (uint32_t i = 0; i < e->conf.nspec; i++)
		sh->spec[i] = (struct recbuf){.at = sh->specmem + i * each, .size = each};
}

static struct recbuf *
active(struct shard *sh)
{
	return &sh->buf[sh->active[TURN_BUF]];
}

static struct rec_hdr *
hdr_at(const struct recbuf *b, size_t off)
{
	return (struct rec_hdr *)(void *)(b->at + off);
}

/*
 * Makes room for n bytes at b->off by forgetting the oldest records. The fields are right at every step, so that the
 * buffer can be read even if we die there. There is one exception: between the last two steps of going round, [tail,
 * end) and [0, off) are the same. The reader recognises that by off > tail.
 */
static bool
ring_room(struct recbuf *b, size_t n)
{
	if (n > b->size)
		return false;
	if (b->off + n > b->size) {
		/* all of [tail, end) lies beyond off and is older: only we stand in its way */
		b->wrapped = false;
		store_order();
		b->end = b->off;
		b->tail = 0;
		store_order();
		b->wrapped = b->off > 0;
		store_order();
		b->off = 0;
	}
	while (b->wrapped && b->off + n > b->tail) {
		size_t next = b->tail + hdr_at(b, b->tail)->size;
		if (next < b->end)
			b->tail = next;
		else
			b->wrapped = false;
	}
	store_order();
	return true;
}

/* What a drain gave out has arrived when something new comes. After a drain, only END still runs. */
static ET_COLD void
renew(struct recbuf *b)
{
	b->wrapped = false;
	store_order();
	b->off = b->tail = 0;
	store_order();
	b->given = false;
}

/* Makes room for n bytes in a principal buffer. */
static bool
principal_room(struct user_engine *e, struct shard *sh, struct recbuf *b, size_t n, bool is_end)
{
	size_t reserve = is_end || e->end_reserve > b->size / 2 ? 0 : (size_t)e->end_reserve;
	if (ET_UNLIKELY(b->given))
		renew(b);
	switch (e->conf.bufpolicy) {
	case BUF_RING:
		if (ring_room(b, n))
			return true;
		break;
	case BUF_FILL:
		if (b->full && !is_end)
			return false;
		if (n <= b->size - b->off && reserve <= b->size - b->off - n)
			return true;
		b->full = true;
		atomic_store_explicit(&e->filled, true, memory_order_relaxed);
		if (e->conf.over)
			e->conf.over(e->conf.overarg);
		return false;
	case BUF_SWITCH:
		if (n <= b->size - b->off && reserve <= b->size - b->off - n)
			return true;
		break;
	}
	count_drop(sh, ENG_DROP_PRINCIPAL);
	return false;
}

/* Returns whether this is END, or an error in END. */
static bool
in_end(const struct activation *r)
{
	return r->p->role == ROLE_END || atomic_load_explicit(&r->e->state, memory_order_relaxed) == ENG_STOPPED;
}

static struct rec_hdr *
reserve(struct activation *r, struct recbuf *b, size_t data, uint32_t epid)
{
	size_t n = sizeof(struct rec_hdr) + up8(data);
	if (b == active(r->sh)) {
		if (!principal_room(r->e, r->sh, b, n, in_end(r)))
			return NULL;
	} else if (n > b->size - b->off) {
		count_drop(r->sh, ENG_DROP_SPEC);
		return NULL;
	}
	struct rec_hdr *h = hdr_at(b, b->off);
	unsigned cpu = 0;
	int got = sched_getcpu();
	if (got >= 0)
		cpu = (unsigned)got;
	*h = (struct rec_hdr){.size = (uint32_t)n,
	    .epid = epid,
	    .time = run_time(r),
	    .cpu = (uint16_t)cpu,
	    .cut = ENG_CUT_OF(atomic_load_explicit(&r->e->cut, memory_order_relaxed)),
	    .fault = -1};
	return h;
}

bool
rec_begin(struct activation *r, const struct dobj_group *g, uint32_t epid)
{
	r->rec = NULL;
	r->group = g;
	if (r->norec)
		return true;
	r->recbuf = r->spec ? &r->sh->spec[r->spec - 1] : active(r->sh);
	if (!charge(r, 64))
		return false;
	r->rec = reserve(r, r->recbuf, g->recsize, epid);
	if (r->rec && !mem_zero(r, r->rec + 1, up8(g->recsize)))
		return false;
	return r->rec || !r->spec;
}

/* The record is zeroed, so only the existing part of a field is written. */
bool
rec_field(struct activation *r, uint32_t field, uint64_t v)
{
	if (!r->rec || field >= r->group->nfields)
		return true;
	const struct dobj_field *f = &r->e->o->fields[r->group->field + field];
	char *to = (char *)(r->rec + 1) + f->offset;
	struct str s;
	switch (f->kind) {
	case DK_INT:
	case DK_SYM:
	case DK_MOD:
		memcpy(to, &v, f->size < 8 ? f->size : 8);
		break;
	case DK_STRING:
	case DK_TERM:
		if (!mem_str(r, v, 0, &s))
			return false;
		return mem_copy(r, to, s.at, s.len < f->size ? s.len : f->size - 1);
	case DK_BYTES:
		return mem_get(r, v, to, f->size);
	case DK_USYM:
	case DK_UMOD:
	case DK_UADDR: {
		uint64_t pair[2] = {(uint32_t)r->e->pid, v};
		memcpy(to, pair, f->size < sizeof pair ? f->size : sizeof pair);
		break;
	}
	case DK_STACK:
	case DK_USTACK:
	case DK_JSTACK:
		if (f->size >= 16) {
			unsigned room = (f->size - 16) / 8, frames = stack_frames(&r->e->conf.sizes, f->kind, f->arg);
			return stack_pack(r, f->kind, frames < room ? frames : room, (uint64_t *)(void *)to) > 0;
		}
		break;
	default:
		break;
	}
	return true;
}

void
rec_end(struct activation *r)
{
	store_order();
	if (r->rec) {
		r->recbuf->off += r->rec->size;
		r->cuts |= r->c->cuts;
	}
	r->rec = NULL;
}

void
rec_error(struct activation *r, uint32_t epid, int fault, const struct rec_fault *rf)
{
	struct recbuf *b = active(r->sh);
	struct rec_hdr *h = reserve(r, b, sizeof *rf, epid);
	if (!h)
		return;
	h->fault = fault;
	memcpy(h + 1, rf, sizeof *rf);
	store_order();
	b->off += h->size;
}

/* Commits all of them or none. They keep their times. */
bool
buf_commit(struct user_engine *e, struct shard *sh, struct recbuf *from, bool is_end, struct activation *r)
{
	struct recbuf *b = active(sh);
	size_t n = from->off;
	from->off = 0;
	if (!n)
		return true;
	/* making room may take as long as copying: it removes oldest records until the bytes fit */
	if ((r && !charge(r, n)) || !principal_room(e, sh, b, n, is_end))
		return r ? !r->budget->over : true;
	if (!r)
		memcpy(b->at + b->off, from->at, n);
	else if (!mem_copy(r, b->at + b->off, from->at, n)) {
		count_drop(sh, ENG_DROP_SPEC);
		return false;
	}
	store_order();
	b->off += n;
	return true;
}

static void
walk(const struct recbuf *b, size_t from, size_t to, unsigned shard,
    void (*fn)(void *arg, unsigned shard, const struct eng_rec *rec), void *arg)
{
	for (size_t at = from; at < to; at += hdr_at(b, at)->size) {
		const struct rec_hdr *h = hdr_at(b, at);
		struct eng_rec rec = {.epid = h->epid,
		    .cpu = h->cpu,
		    .cut = h->cut,
		    .time = h->time,
		    .data = (const char *)(h + 1),
		    .fault = h->fault};
		if (h->fault >= 0) {
			const struct rec_fault *rf = (const struct rec_fault *)(const void *)(h + 1);
			rec.fault_action = rf->action;
			rec.fault_pc = rf->pc;
			rec.fault_value = rf->value;
		}
		fn(arg, shard, &rec);
	}
}

/* Of the policies fill and ring, at the end. */
static void
drain_last(struct user_engine *e, void (*fn)(void *arg, unsigned shard, const struct eng_rec *rec), void *arg)
{
	for (unsigned i = 0; e->still && i < e->conf.nshards; i++) {
		struct recbuf *b = active(&e->shards[i]);
		if (b->given)
			continue;
		if (b->wrapped)
			walk(b, b->tail, b->end, i, fn, arg);
		walk(b, 0, b->off, i, fn, arg);
		b->no = e->ndrains;
		store_order();
		b->given = true;
	}
}

/* What a drain gives out stays until the next drain: see image.h. A shard that owes a buffer gives that one first. */
void
buf_drain(struct engine *engine, void (*fn)(void *arg, unsigned shard, const struct eng_rec *rec), void *arg)
{
	struct user_engine *e = user_of(engine);
	bool part = false;
	unsigned patience = TURN_PATIENCE;
	e->ndrains++;
	if (e->conf.bufpolicy != BUF_SWITCH) {
		drain_last(e, fn, arg);
		return;
	}
	for (unsigned i = 0; i < e->conf.nshards; i++) {
		struct shard *sh = &e->shards[i];
		part |= sh->turns[TURN_BUF].owed;
		if (sh->turns[TURN_BUF].owed)
			continue;
		struct recbuf *other = &sh->buf[turn_other(sh, TURN_BUF)];
		other->off = 0;
		store_order(); /* from here on a reader finds it empty */
		other->no = 0;
		turn_ask(sh, TURN_BUF);
	}
	turn_barrier(e);
	for (unsigned i = 0; i < e->conf.nshards; i++) {
		struct shard *sh = &e->shards[i];
		if (!turn_take(e, sh, TURN_BUF, &patience)) {
			part = true;
			continue;
		}
		struct recbuf *b = &sh->buf[turn_other(sh, TURN_BUF)];
		b->no = e->ndrains;
		store_order();
		walk(b, 0, b->off, i, fn, arg);
	}
	e->part[TURN_BUF] = part;
}
