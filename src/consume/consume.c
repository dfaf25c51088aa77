/* Life, output and turns of a consumer. */
#include "consume/consume.h"

#include "base/clock.h"
#include "object/key.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifdef ET_TINY
enum { OUT_CHUNK = 16 };
#else
enum { OUT_CHUNK = 64 << 10 };
#endif

/* cs_free also frees a consumer that could not be made completely. */
bool
cs_init(struct consumer *c, struct et *h, const struct dobj *o, struct opts *opts, const struct cs_handlers *on)
{
	*c = (struct consumer){.h = h, .o = o, .opts = opts, .on = on, .histhdr = DOBJ_NONE};
	size_t most = 1;
	for (uint32_t i = 0; i < o->nacts; i++)
		if (o->acts[i].nfields > most)
			most = o->acts[i].nfields;
	for (uint32_t i = 0; i < o->nfields; i++)
		c->names_fields |= o->fields[i].kind == DK_STRING && o->fields[i].arg == DOBJ_PID;
	c->vals = calloc(most, sizeof *c->vals);
	c->pubvals = calloc(most, sizeof *c->pubvals);
	return c->vals && c->pubvals && watch_init(&c->watch, o, mono_ns()) &&
	       aggset_init(&c->aggs, o, on->memory, on->memoryarg);
}

bool
cs_use_engine(struct consumer *c, struct engine *e, const struct engine_ops *ops)
{
	c->e = e;
	c->ops = ops;
	return cs_grow(c);
}

bool
cs_grow(struct consumer *c)
{
	unsigned n = c->ops->sources ? c->ops->sources->count(c->e) : 1, before = c->nsources;
	if (n <= before)
		return true;
	struct pids *pids = realloc(c->pids, n * sizeof *pids);
	c->pids = pids ? pids : c->pids;
	uint16_t *last_cuts = realloc(c->last_cuts, n * sizeof *last_cuts);
	c->last_cuts = last_cuts ? last_cuts : c->last_cuts;
	uint16_t *cuts = realloc(c->cuts, n * sizeof *cuts);
	c->cuts = cuts ? cuts : c->cuts;
	if (!pids || !last_cuts || !cuts)
		return false;
	memset(pids + before, 0, (n - before) * sizeof *pids);
	memset(last_cuts + before, 0, (n - before) * sizeof *last_cuts);
	memset(cuts + before, 0, (n - before) * sizeof *cuts);
	c->nsources = n;
	for (unsigned i = before; c->ops->sources && i < n; i++) {
		size_t len = strlen(c->ops->sources->name(c->e, i));
		c->nodewidth = len > c->nodewidth ? (unsigned)len : c->nodewidth;
	}
	return true;
}

unsigned
cs_source(const struct consumer *c)
{
	return c->ops->sources ? c->ops->sources->current(c->e) : 0;
}

void
cs_free(struct consumer *c)
{
	aggset_free(&c->aggs);
	watch_free(&c->watch);
	cs_before_free(&c->before);
	for (unsigned i = 0; i < c->nheld; i++)
		aggset_free(&c->held[i].aggs);
	free(c->held);
	cs_store_free(&c->store);
	cs_store_free(&c->later);
	sb_free(&c->out);
	sb_free(&c->acttext);
	free(c->seen);
	for (unsigned i = 0; c->pids && i < c->nsources; i++)
		pids_free(&c->pids[i]);
	free(c->pids);
	cs_flows_free(&c->flows);
	free(c->last_cuts);
	free(c->cuts);
	free(c->vals);
	free(c->pubvals);
	if (c->redirect)
		fclose(c->redirect);
	*c = (struct consumer){0};
}

int
cs_fail(struct consumer *c, enum et_error err, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	why_vset(&c->why, fmt, ap);
	va_end(ap);
	c->err = err;
	return -1;
}

struct show
cs_show(const struct consumer *c)
{
	const int64_t *num = c->opts->num;
	const char *encoding = c->opts->str[OPT_ENCODING];
	struct show s = {
	    .quiet = num[OPT_QUIET] != 0,
	    .rawbytes = num[OPT_RAWBYTES] != 0,
	    .aggzoom = num[OPT_AGGZOOM] != 0,
	    .agghist = num[OPT_AGGHIST] != 0,
	    .aggpack = num[OPT_AGGPACK] != 0,
	    .noresolve = num[OPT_NORESOLVE] != 0,
	    .utf8 = (c->on->show & ET_SHOW_UNICODE) != 0,
	    .colour = (c->on->show & ET_SHOW_COLOUR) != 0,
	    .stackindent = num[OPT_STACKINDENT] > 0 && num[OPT_STACKINDENT] < 1000 ? (unsigned)num[OPT_STACKINDENT] : 0,
	    .safe = c->redirect ? c->redirect_is_terminal : (c->on->show & ET_SHOW_SAFE) != 0,
	    .term_utf8 = (c->on->show & ET_SHOW_UTF8) != 0,
	    .own = c->o,
	    .sym = c->on->sym,
	    .symarg = c->on->symarg,
	    .pids = cs_names_keys(c) ? c->pids : NULL,
	};
	s.safe &= !num[OPT_RAWTEXT];
	if (encoding && strcmp(encoding, "utf8") == 0)
		s.utf8 = true;
	else if (encoding && strcmp(encoding, "ascii") == 0)
		s.utf8 = false;
	return s;
}

static int
flush(struct consumer *c, const struct cs_to *to, const struct et_probe *probe, const char *agg)
{
	if (c->out.failed) {
		sb_free(&c->out);
		return cs_fail(c, ET_ENOMEM, "out of memory for output");
	}
	if (c->out.len == 0)
		return 0;
	FILE *fp = c->redirect ? c->redirect : to->fp;
	int rc = 0;
	c->in_line = c->out.at[c->out.len - 1] != '\n';
	if (fp) {
		rc = cs_put(c, fp, c->out.at, c->out.len);
	} else if (c->on->buffered) {
		struct et_bufdata d = {c->out.at, c->out.len, probe, agg};
		if (c->on->buffered(&d, c->on->bufferedarg) != ET_HANDLE_OK)
			rc = cs_fail(c, ET_EABORT, "the handler of buffered output asked to stop");
	}
	sb_clear(&c->out);
	return rc;
}

int
cs_flush_some(struct consumer *c, const struct cs_to *to, const struct et_probe *probe, const char *agg)
{
	if (c->out.failed || c->out.len >= OUT_CHUNK || (!to->fp && !c->redirect))
		return flush(c, to, probe, agg);
	return 0;
}

int
cs_flush_all(struct consumer *c, const struct cs_to *to)
{
	if (flush(c, to, NULL, NULL) != 0)
		return -1;
	FILE *fp = c->redirect ? c->redirect : to->fp;
	if (fp && (fflush(fp) != 0 || ferror(fp)))
		return cs_fail(c, ET_EWRITE, "%s", strerror(errno));
	return 0;
}

struct snap {
	struct consumer *c;
	char *key; /* room for a key that is changed */
	size_t room;
	bool failed;
	bool notes;          /* pids in keys are noted */
	struct sbuf waiting; /* elements whose keys wait for names: struct waiting, key, value */
};

struct waiting {
	uint32_t agg, keylen; /* agg includes its cut */
	uint64_t source;
};

/* Returns whether cut a comes after b. */
static bool
is_after(uint16_t a, uint16_t b)
{
	return (int16_t)(uint16_t)(a - b) > 0;
}

/* Returns the table for values of a cut, or NULL if there is no memory. */
static struct aggset *
table_of(struct consumer *c, unsigned source, uint16_t cut)
{
	/* With the other policies all records come at the end, so everything until then belongs to them. */
	if (!is_after(cut, c->cuts[source]) || c->opts->num[OPT_BUFPOLICY] != BUF_SWITCH)
		return &c->aggs;
	for (unsigned i = 0; i < c->nheld; i++)
		if (c->held[i].source == source && c->held[i].cut == cut)
			return &c->held[i].aggs;
	struct cs_held *grown = realloc(c->held, (c->nheld + 1) * sizeof *grown);
	if (!grown)
		return NULL;
	c->held = grown;
	grown[c->nheld].source = source;
	grown[c->nheld].cut = cut;
	if (!aggset_init(&grown[c->nheld].aggs, c->o, c->on->memory, c->on->memoryarg))
		return NULL;
	return &grown[c->nheld++].aggs;
}

static bool
add_value(struct consumer *c, unsigned source, unsigned agg, const void *key, size_t keylen, const uint64_t *words)
{
	struct aggset *t = table_of(c, source, ENG_CUT_OF(agg));
	if (c->watch.n)
		watch_add(&c->watch, ENG_AGG_OF(agg), key, keylen, words, c->on->alert != NULL, mono_ns());
	return t && aggset_add(t, ENG_AGG_OF(agg), key, keylen, words);
}

static bool
merge_held(struct consumer *c, struct aggset *from)
{
	bool ok = true;
	for (size_t i = 0; ok && i < from->n; i++) {
		const struct aggent *e = from->all[i];
		ok = aggset_add(&c->aggs, e->agg, aggent_key(from, e), e->keylen, e->words);
	}
	c->aggs.dropped += from->dropped;
	aggset_free(from);
	return ok;
}

/* From here on, values of the source up to this cut count. */
static int
reach(struct consumer *c, unsigned source, uint16_t cut, bool all)
{
	uint16_t *reached = &c->cuts[source];
	unsigned kept = 0;
	bool ok = true;
	if (is_after(cut, *reached))
		*reached = cut;
	for (unsigned i = 0; i < c->nheld; i++) {
		if (c->held[i].source != source || (!all && is_after(c->held[i].cut, *reached))) {
			c->held[kept++] = c->held[i];
			continue;
		}
		if (is_after(c->held[i].cut, *reached))
			*reached = c->held[i].cut;
		ok &= merge_held(c, &c->held[i].aggs);
	}
	c->nheld = kept;
	return ok ? 0 : cs_fail(c, ET_ENOMEM, "out of memory for aggregations");
}

/* sym(), mod() and the like are keyed by what they show: all addresses of one symbol are one key. Returns the key as
 * it is, or changed in s->key; NULL if there is no memory. */
static const void *
by_symbol(struct snap *s, const struct dobj_agg *a, const void *key, size_t keylen)
{
	struct key_elem elems[DOBJ_MAXKEYS];
	const struct dobj_key *keys = s->c->o->keys + a->key;
	bool any = false;
	for (unsigned i = 0; i < a->nkeys && i < DOBJ_MAXKEYS; i++)
		any |= keys[i].kind == DK_SYM || keys[i].kind == DK_MOD || keys[i].kind == DK_USYM ||
		       keys[i].kind == DK_UMOD;
	if (!any || !s->c->on->symstart || s->c->opts->num[OPT_NORESOLVE])
		return key;
	if (keylen > s->room) {
		char *p = realloc(s->key, keylen);
		if (!p)
			return NULL;
		s->key = p;
		s->room = keylen;
	}
	memcpy(s->key, key, keylen);
	if (a->nkeys > DOBJ_MAXKEYS || !key_unpack(keys, a->nkeys, key, keylen, elems))
		return key;
	for (unsigned i = 0; i < a->nkeys; i++) {
		const struct key_elem *e = &elems[i];
		bool user = e->kind == DK_USYM || e->kind == DK_UMOD;
		if (!user && e->kind != DK_SYM && e->kind != DK_MOD)
			continue;
		uint64_t at = s->c->on->symstart(
		    s->c->on->symarg, (int64_t)e->pid, e->num, e->kind == DK_MOD || e->kind == DK_UMOD);
		memcpy(s->key + ((const char *)e->at - (const char *)key) + (user ? 8 : 0), &at, sizeof at);
	}
	return s->key;
}

static void
snap_one(void *arg, unsigned agg, const void *key, size_t keylen, const uint64_t *words)
{
	struct snap *s = arg;
	if (s->failed)
		return;
	unsigned row = ENG_AGG_OF(agg);
	if (row < s->c->o->naggs && s->notes)
		cs_note_key(s->c, &s->c->o->aggs[row], key, keylen);
	if (row < s->c->o->naggs && cs_has_names(s->c, row)) {
		struct waiting w = {agg, (uint32_t)keylen, cs_source(s->c)};
		sb_add(&s->waiting, (const char *)&w, sizeof w);
		sb_add(&s->waiting, key, keylen);
		sb_add(&s->waiting, (const char *)words, s->c->aggs.nwords[row] * sizeof *words);
		return;
	}
	if (row < s->c->o->naggs)
		key = by_symbol(s, &s->c->o->aggs[row], key, keylen);
	if ((!key && keylen) || !add_value(s->c, cs_source(s->c), agg, key, keylen, words))
		s->failed = true;
}

/* The names are known now. Keys and values are multiples of 8 bytes. */
static bool
add_waiting(struct snap *s)
{
	struct consumer *c = s->c;
	bool ok = !s->waiting.failed;
	for (size_t at = 0; ok && at < s->waiting.len;) {
		struct waiting w;
		memcpy(&w, s->waiting.at + at, sizeof w);
		const char *key = s->waiting.at + at + sizeof w;
		size_t keylen = w.keylen;
		void *named = cs_named_key(c, (unsigned)w.source, &c->o->aggs[ENG_AGG_OF(w.agg)], key, &keylen);
		const uint64_t *words = (const uint64_t *)(const void *)(key + w.keylen);
		ok = named && add_value(c, (unsigned)w.source, w.agg, named, keylen, words);
		free(named);
		at += sizeof w + w.keylen + c->aggs.nwords[ENG_AGG_OF(w.agg)] * sizeof *words;
	}
	sb_free(&s->waiting);
	return ok;
}

int
cs_snap(struct consumer *c)
{
	struct snap s = {.c = c, .notes = cs_names_keys(c)};
	if (c->o->naggs == 0)
		return 0;
	if (!cs_grow(c))
		return cs_fail(c, ET_ENOMEM, "out of memory for another node");
	for (uint32_t i = 0; i < c->o->naggs; i++)
		s.notes |= cs_has_names(c, i);
	c->ops->snap(c->e, snap_one, &s);
	if (s.notes)
		cs_ask_names(c);
	s.failed |= !add_waiting(&s);
	free(s.key);
	return s.failed ? cs_fail(c, ET_ENOMEM, "out of memory for aggregations") : 0;
}

/* Sleeps if the last snapshot, or drain, was not whole. Returns false if it was, or after `deadline`. */
static bool
waits(struct consumer *c, bool records, uint64_t deadline)
{
	if (!c->ops->is_whole || c->ops->is_whole(c->e, records) || mono_ms() >= deadline)
		return false;
	nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
	return true;
}

int
cs_snap_whole(struct consumer *c, unsigned ms)
{
	uint64_t deadline = mono_ms() + ms;
	int rc = cs_snap(c);
	while (rc == 0 && c->o->naggs && waits(c, false, deadline))
		rc = cs_snap(c);
	return rc;
}

/* Returns whether a record uses aggregations. */
static bool
is_of_aggs(const struct consumer *c, const struct cs_rec *r)
{
	const struct eng_epid *ep = c->o->nagglist && r->r.fault < 0 ? c->ops->epid(c->e, r->r.epid) : NULL;
	const struct dobj_group *g = ep && ep->group < c->o->ngroups ? &c->o->groups[ep->group] : NULL;
	for (uint32_t i = 0; g && i < g->nacts; i++)
		if (c->o->acts[g->act + i].naggs)
			return true;
	return false;
}

bool
cs_is_for_all(const struct consumer *c, const struct cs_rec *r)
{
	const struct eng_epid *ep = c->ops->epid(c->e, r->r.epid);
	if (!c->ops->sources || !ep || ep->probe >= c->nprobes || !is_of_aggs(c, r))
		return false;
	enum eng_role role = eng_role_of(c->probes[ep->probe].provider, c->probes[ep->probe].name);
	return role == ROLE_BEGIN || role == ROLE_END || role == ROLE_TICK;
}

/* Everything that was aggregated before these records must be here before they are shown. */
static int
snap_for(struct consumer *c, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (is_of_aggs(c, &c->store.recs[i]))
			return cs_snap_whole(c, CS_A_CUT);
	return 0;
}

/* A record about aggregations makes its source's values up to it count, even if another source shows it for all: so
 * each table has as much of every source. */
static int
show_record(struct consumer *c, const struct cs_to *to, const struct cs_rec *r, const struct cs_rec *next)
{
	if (is_of_aggs(c, r)) {
		c->last_cuts[r->source] = r->r.cut;
		if (reach(c, r->source, r->r.cut, false) != 0)
			return -1;
	}
	if (cs_is_for_all(c, r) && r->source != c->ops->sources->leader(c->e))
		return 0;
	return cs_record(c, to, r, next);
}

/* Several records of one firing have the same cut, so what came after it has waited for all of them. A source that is
 * lost makes no more records. */
static int
reach_all(struct consumer *c, bool final)
{
	for (unsigned i = 0; i < c->nsources; i++) {
		bool all = final || (c->ops->sources && c->ops->sources->is_lost(c->e, i));
		if (reach(c, i, (uint16_t)(c->last_cuts[i] + 1), all) != 0)
			return -1;
	}
	return 0;
}

int
cs_records(struct consumer *c, const struct cs_to *to, uint64_t until, bool final)
{
	if (!cs_grow(c))
		return cs_fail(c, ET_ENOMEM, "out of memory for another node");
	uint64_t deadline = mono_ms() + CS_THE_END;
	do
		cs_gather(c);
	while (final && !c->store.failed && waits(c, true, deadline));
	if (c->store.failed) {
		c->store.failed = false;
		return cs_fail(c, ET_ENOMEM, "out of memory for records");
	}
	uint64_t complete = c->ops->sources ? c->ops->sources->complete(c->e) : until;
	size_t n = cs_order(c, complete < until ? complete : until, final), i = 0;
	for (unsigned k = 0; k < c->nsources; k++)
		c->last_cuts[k] = (uint16_t)(c->cuts[k] - 1);
	int rc = snap_for(c, n);
	cs_names_of_records(c, n);
	while (rc == 0 && i < n) {
		const struct cs_rec *r = &c->store.recs[i++];
		rc = show_record(c, to, r, i < n ? r + 1 : NULL);
		if (rc == 0)
			rc = cs_flush_some(c, to, NULL, NULL);
	}
	if (cs_keep(c, i) != 0 && rc == 0)
		rc = -1;
	if (rc == 0)
		rc = reach_all(c, final);
	if (rc == 0)
		rc = cs_flush_all(c, to);
	return rc;
}
