/* Life, output and turns of a consumer. */
#include "consume/consume.h"
#include "code/key.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#ifdef ET_TINY
enum { OUT_CHUNK = 16 };
#else
enum { OUT_CHUNK = 64 << 10 };
#endif

/* A consumer that could not be made whole is given back by cs_free as well. */
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
	return c->vals && c->pubvals && aggset_init(&c->aggs, o, on->memory, on->memoryarg);
}

void
cs_free(struct consumer *c)
{
	aggset_free(&c->aggs);
	cs_store_free(&c->store);
	cs_store_free(&c->later);
	sb_free(&c->out);
	sb_free(&c->acttext);
	free(c->seen);
	pids_free(&c->pids);
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
	vsnprintf(c->why, sizeof c->why, fmt, ap);
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
	    .pids = cs_names_keys(c) ? &c->pids : NULL,
	};
	s.safe &= !num[OPT_RAWTEXT];
	if (encoding && strcmp(encoding, "utf8") == 0)
		s.utf8 = true;
	else if (encoding && strcmp(encoding, "ascii") == 0)
		s.utf8 = false;
	return s;
}

int
cs_flush(struct consumer *c, const struct cs_to *to, const struct et_probe *probe, const char *agg)
{
	if (c->out.failed) {
		sb_free(&c->out);
		return cs_fail(c, ET_ENOMEM, "out of memory for output");
	}
	if (c->out.len == 0)
		return 0;
	FILE *fp = c->redirect ? c->redirect : to->fp;
	int rc = 0;
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
		return cs_flush(c, to, probe, agg);
	return 0;
}

int
cs_flush_all(struct consumer *c, const struct cs_to *to)
{
	if (cs_flush(c, to, NULL, NULL) != 0)
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
	uint32_t agg, keylen;
};

/* sym(), mod() and the like are keyed by what they show: the addresses of one symbol are the same to them. The key as
 * it is, or changed in s->key; NULL: no memory. */
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
	if (agg < s->c->o->naggs && s->notes)
		cs_note_key(s->c, &s->c->o->aggs[agg], key, keylen);
	if (agg < s->c->o->naggs && cs_has_names(s->c, agg)) {
		struct waiting w = {agg, (uint32_t)keylen};
		sb_add(&s->waiting, (const char *)&w, sizeof w);
		sb_add(&s->waiting, key, keylen);
		sb_add(&s->waiting, (const char *)words, s->c->aggs.nwords[agg] * sizeof *words);
		return;
	}
	if (agg < s->c->o->naggs)
		key = by_symbol(s, &s->c->o->aggs[agg], key, keylen);
	if ((!key && keylen) || !aggset_add(&s->c->aggs, agg, key, keylen, words))
		s->failed = true;
}

/* Their names are known now. Keys and values are multiples of 8 bytes. */
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
		void *named = cs_named_key(c, &c->o->aggs[w.agg], key, &keylen);
		const uint64_t *words = (const uint64_t *)(const void *)(key + w.keylen);
		ok = named && aggset_add(&c->aggs, w.agg, named, keylen, words);
		free(named);
		at += sizeof w + w.keylen + c->aggs.nwords[w.agg] * sizeof *words;
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
	for (uint32_t i = 0; i < c->o->naggs; i++)
		s.notes |= cs_has_names(c, i);
	c->ops->snap(c->e, snap_one, &s);
	if (s.notes)
		cs_ask_names(c);
	s.failed |= !add_waiting(&s);
	free(s.key);
	return s.failed ? cs_fail(c, ET_ENOMEM, "out of memory for aggregations") : 0;
}

int
cs_records(struct consumer *c, const struct cs_to *to, uint64_t until, bool final)
{
	cs_gather(c);
	if (c->store.failed) {
		c->store.failed = false;
		return cs_fail(c, ET_ENOMEM, "out of memory for records");
	}
	size_t n = cs_order(c, until, final), i = 0;
	int rc = 0;
	cs_names_of_records(c, n);
	while (rc == 0 && i < n) {
		const struct cs_rec *r = &c->store.recs[i++];
		rc = cs_record(c, to, r, i < n ? r + 1 : NULL);
		if (rc == 0)
			rc = cs_flush_some(c, to, NULL, NULL);
	}
	if (cs_keep(c, i) != 0 && rc == 0)
		rc = -1;
	if (rc == 0)
		rc = cs_flush_all(c, to);
	return rc;
}
