/*
 * The values of one script's metrics, of all its nodes.
 *
 * Counts, sums and distributions are taken out of a handle's aggregations and added here. What a handle had is never
 * counted twice, and what was counted stays when the handle is gone, so counters never fall. Averages, minima, maxima
 * and deviations stay in the handle, because only it can merge them: they are copied.
 *
 * Memory is bounded: a metric has at most `rows` rows for a node. What belongs to further keys is added to one more
 * row, whose labels are all "other".
 */
#include "export/export.h"

#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

/* -- scripts -- */

struct export_script *
script_new(struct conf_script *c, unsigned rows)
{
	struct export_script *s = calloc(1, sizeof *s);
	struct family *fams = calloc(c->metrics.n + 1, sizeof *fams);
	if (!s || !fams || pthread_mutex_init(&s->lock, NULL) != 0) {
		free(s);
		free(fams);
		return NULL;
	}
	atomic_init(&s->refs, 1);
	s->name = c->name;
	s->text = c->text;
	s->argv = c->argv;
	s->argc = c->argc;
	s->opts = c->opts;
	s->nopts = c->nopts;
	s->metrics = c->metrics;
	s->rows = rows;
	s->fams = fams;
	for (unsigned i = 0; i < s->metrics.n; i++)
		fams[i].m = &s->metrics.at[i];
	c->name = c->text = NULL;
	c->argv = NULL;
	c->argc = c->nopts = 0;
	c->opts = NULL;
	c->metrics = (struct metrics){0};
	return s;
}

struct export_script *
script_keep(struct export_script *s)
{
	atomic_fetch_add(&s->refs, 1);
	return s;
}

static void
row_free(struct row *r)
{
	free(r->labels);
	free(r->buckets);
	free(r->guesses);
	free(r);
}

void
script_drop(struct export_script *s)
{
	if (!s || atomic_fetch_sub(&s->refs, 1) != 1)
		return;
	for (unsigned i = 0; i < s->metrics.n; i++) {
		struct family *f = &s->fams[i];
		for (size_t k = 0; k < f->n; k++)
			row_free(f->rows[k]);
		free(f->rows);
		free(f->slots);
		free(f->edges);
	}
	for (unsigned i = 0; i < s->nplaces; i++) {
		free(s->places[i]->node);
		free(s->places[i]->rows);
		free(s->places[i]);
	}
	free(s->places);
	free(s->fams);
	metrics_free(&s->metrics);
	for (unsigned i = 0; i < s->argc; i++)
		free(s->argv[i]);
	free(s->argv);
	for (unsigned i = 0; i < s->nopts; i++) {
		free(s->opts[i].name);
		free(s->opts[i].value);
	}
	free(s->opts);
	free(s->name);
	free(s->text);
	pthread_mutex_destroy(&s->lock);
	free(s);
}

static bool
same_text(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

bool
script_is_same(const struct export_script *s, const struct conf_script *c)
{
	if (strcmp(s->name, c->name) != 0 || strcmp(s->text, c->text) != 0 || s->argc != c->argc ||
	    s->nopts != c->nopts || s->metrics.share != c->metrics.share)
		return false;
	for (unsigned i = 0; i < s->argc; i++)
		if (strcmp(s->argv[i], c->argv[i]) != 0)
			return false;
	for (unsigned i = 0; i < s->nopts; i++)
		if (strcmp(s->opts[i].name, c->opts[i].name) != 0 || !same_text(s->opts[i].value, c->opts[i].value))
			return false;
	return true;
}

/* -- places -- */

int
script_place(struct export_script *s, const char *node)
{
	int at = -1;
	pthread_mutex_lock(&s->lock);
	for (unsigned i = 0; i < s->nplaces; i++)
		if (same_text(s->places[i]->node, node))
			at = (int)i;
	if (at < 0) {
		struct export_place **more = realloc(s->places, (s->nplaces + 1) * sizeof(struct export_place *));
		struct export_place *p = calloc(1, sizeof *p);
		if (more)
			s->places = more;
		if (p) {
			p->node = node ? strdup(node) : NULL;
			p->rows = calloc(s->metrics.n + 1, sizeof *p->rows);
		}
		if (more && p && p->rows && (p->node || !node)) {
			more[s->nplaces] = p;
			at = (int)s->nplaces++;
		} else if (p) {
			free(p->node);
			free(p->rows);
			free(p);
		}
	}
	if (at >= 0)
		s->places[at]->used = true;
	pthread_mutex_unlock(&s->lock);
	return at;
}

static void
rebuild(struct family *f)
{
	memset(f->slots, 0, f->nslots * sizeof *f->slots);
	for (size_t i = 0; i < f->n; i++) {
		size_t at = f->rows[i]->hash & (f->nslots - 1);
		while (f->slots[at])
			at = (at + 1) & (f->nslots - 1);
		f->slots[at] = (uint32_t)i + 1;
	}
}

/* Removes rows of a place: all of a family, or those of gauges that had no value in the last interval. */
static void
remove_rows(struct export_script *s, struct family *f, unsigned place, bool only_empty)
{
	size_t kept = 0;
	for (size_t i = 0; i < f->n; i++) {
		struct row *r = f->rows[i];
		if (r->node == place && !(only_empty && r->has_last)) {
			s->places[place]->rows[f - s->fams] -= !r->is_other;
			row_free(r);
		} else
			f->rows[kept++] = r;
	}
	if (kept != f->n) {
		f->n = kept;
		rebuild(f);
	}
}

void
script_forget(struct export_script *s, unsigned place)
{
	pthread_mutex_lock(&s->lock);
	for (unsigned i = 0; i < s->metrics.n; i++)
		remove_rows(s, &s->fams[i], place, false);
	/* its name stays: a job that is still ending refers to it */
	struct export_place *p = s->places[place];
	*p = (struct export_place){.node = p->node, .rows = p->rows, .attached = p->attached};
	pthread_mutex_unlock(&s->lock);
}

/* -- rows -- */

static bool
grow(struct family *f)
{
	if (f->n == f->cap) {
		size_t cap = f->cap ? f->cap * 2 : 16;
		struct row **more = realloc(f->rows, cap * sizeof(struct row *));
		if (!more)
			return false;
		f->rows = more;
		f->cap = cap;
	}
	if (2 * (f->n + 1) > f->nslots) {
		size_t n = f->nslots ? f->nslots * 2 : 64;
		uint32_t *slots = calloc(n, sizeof *slots);
		if (!slots)
			return false;
		free(f->slots);
		f->slots = slots;
		f->nslots = n;
		rebuild(f);
	}
	return true;
}

static struct row *
find_row(const struct family *f, const char *labels, uint64_t hash)
{
	for (size_t at = hash & (f->nslots - 1); f->nslots && f->slots[at]; at = (at + 1) & (f->nslots - 1)) {
		struct row *r = f->rows[f->slots[at] - 1];
		if (r->hash == hash && strcmp(r->labels, labels) == 0)
			return r;
	}
	return NULL;
}

static struct row *
add_row(struct family *f, unsigned place, const char *labels, uint64_t hash)
{
	if (!grow(f))
		return NULL;
	struct row *r = calloc(1, sizeof *r);
	if (r)
		r->labels = strdup(labels);
	if (r && f->nbuckets)
		r->buckets = calloc(f->nbuckets, sizeof *r->buckets);
	if (!r || !r->labels || (f->nbuckets && !r->buckets)) {
		if (r)
			row_free(r);
		return NULL;
	}
	r->hash = hash;
	r->node = place;
	size_t at = hash & (f->nslots - 1);
	while (f->slots[at])
		at = (at + 1) & (f->nslots - 1);
	f->rows[f->n++] = r;
	f->slots[at] = (uint32_t)f->n;
	return r;
}

/* -- taking -- */

struct harvest {
	struct export_script *s;
	struct export_place *p;
	unsigned place;
	bool is_clear; /* the script is about to clear() */
	struct sbuf labels;
};

static void
other_labels(struct harvest *t, const struct metric *m)
{
	sb_clear(&t->labels);
	if (t->p->node)
		text_label(&t->labels, "node", t->p->node);
	for (unsigned i = 0; i < m->nlabels; i++) {
		if (t->labels.len)
			sb_addc(&t->labels, ',');
		text_label(&t->labels, m->labels[i], "other");
	}
	sb_adds(&t->labels, "");
}

static void
key_labels(struct harvest *t, const struct metric *m, const struct et_aggdata *a)
{
	sb_clear(&t->labels);
	if (t->p->node)
		text_label(&t->labels, "node", t->p->node);
	for (unsigned i = 0; i < m->nlabels && i < a->nkeys; i++) {
		char *text = et_value_text(a->h, &a->keys[i]);
		if (t->labels.len)
			sb_addc(&t->labels, ',');
		text_label(&t->labels, m->labels[i], text ? text : "?");
		free(text);
	}
	sb_adds(&t->labels, "");
}

/* The row of an element's keys; that of the others if there are too many, if the metric can have such a row. NULL if
 * there is none, or memory ran out. */
static struct row *
row_of(struct harvest *t, struct family *f, const struct et_aggdata *a, bool may_other)
{
	size_t n = (size_t)(f - t->s->fams);
	key_labels(t, f->m, a);
	if (t->labels.failed)
		return NULL;
	const char *labels = t->labels.at ? t->labels.at : "";
	uint64_t hash = hash_bytes(labels, strlen(labels));
	struct row *r = find_row(f, labels, hash);
	if (r)
		return r;
	if (t->p->rows[n] < t->s->rows) {
		r = add_row(f, t->place, labels, hash);
		t->p->rows[n] += r != NULL;
		return r;
	}
	if (!may_other)
		return NULL;
	t->p->left_out++;
	other_labels(t, f->m);
	if (t->labels.failed)
		return NULL;
	labels = t->labels.at ? t->labels.at : "";
	hash = hash_bytes(labels, strlen(labels));
	r = find_row(f, labels, hash);
	if (!r && (r = add_row(f, t->place, labels, hash)))
		r->is_other = true;
	return r;
}

/* The buckets of a distribution, when the first value is there. */
static bool
know_buckets(struct family *f, const struct et_aggdata *a)
{
	if (f->nbuckets == a->nbuckets)
		return true;
	if (f->nbuckets)
		return false; /* the same script has other buckets: cannot be */
	if (!(f->edges = calloc(a->nbuckets, sizeof *f->edges)))
		return false;
	f->nbuckets = a->nbuckets;
	for (unsigned i = 0; i < f->nbuckets; i++)
		et_agg_bucket(a, i, NULL, &f->edges[i]);
	if (f->m->has_range) {
		while (f->from + 1 < f->nbuckets && f->edges[f->from] < f->m->low)
			f->from++;
		f->to = f->from;
		while (f->to + 1 < f->nbuckets && f->edges[f->to] < f->m->high)
			f->to++;
		f->any = true;
	}
	return true;
}

static void
add_buckets(struct export_place *p, struct family *f, struct row *r, const struct et_aggdata *a)
{
	/* a sum may have made the row before the first distribution told how many buckets there are */
	if (!r->buckets && !(r->buckets = calloc(f->nbuckets, sizeof *r->buckets)))
		return;
	for (unsigned i = 0; i < f->nbuckets; i++) {
		int64_t n = et_agg_bucket(a, i, NULL, NULL);
		if (!n)
			continue;
		r->buckets[i] += (uint64_t)n;
		estimate_bucket(p, f, r, i, (uint64_t)n);
		if (f->m->has_range)
			continue;
		/* an edge that was shown once is always shown */
		if (!f->any || i < f->from)
			f->from = i;
		if (!f->any || i > f->to)
			f->to = i;
		f->any = true;
	}
}

static void
add_count(struct export_place *p, const struct family *f, struct row *r, int64_t n)
{
	r->count += (uint64_t)n;
	estimate_count(p, f, r, n);
}

static void
add_sum(struct export_place *p, const struct family *f, struct row *r, int64_t n)
{
	r->sum += (uint64_t)n;
	estimate_sum(p, f, r, n);
}

/* A gauge that the script clears shows the last whole interval, otherwise what there is now. */
static void
set_gauge(const struct harvest *t, struct row *r, const struct et_aggdata *a)
{
	if (t->is_clear) {
		r->last = a->raw;
		r->has_last = true;
	} else if (!r->interval)
		r->value = a->raw;
}

static bool
is_called(const struct et_aggdata *a, const char *name)
{
	return name && strcmp(name, a->name) == 0;
}

/* What is fetched is added. */
static void
add_value(struct harvest *t, struct family *f, const struct et_aggdata *a)
{
	bool dist = et_agg_kind(a->fn) == ET_AGGKIND_DISTRIBUTION;
	struct row *r = f->m->fn == a->fn && (!dist || know_buckets(f, a)) ? row_of(t, f, a, true) : NULL;
	if (!r)
		return;
	if (dist)
		add_buckets(t->p, f, r, a);
	else if (a->fn == ET_AGG_COUNT)
		add_count(t->p, f, r, a->raw);
	else
		add_sum(t->p, f, r, a->raw);
}

/* Called for the elements of all aggregations. Several metrics may be about the same one. */
static enum et_aggwalk
take(struct et_aggdata *a, void *arg)
{
	struct harvest *t = arg;
	bool number = et_agg_kind(a->fn) == ET_AGGKIND_NUMBER;
	struct row *r;
	if (!number)
		t->p->values += a->count;
	for (unsigned i = 0; i < t->s->metrics.n; i++) {
		struct family *f = &t->s->fams[i];
		if (number) {
			if (is_called(a, f->m->agg) && f->m->fn == a->fn && a->count && (r = row_of(t, f, a, false)))
				set_gauge(t, r, a);
			continue;
		}
		if (is_called(a, f->m->agg))
			add_value(t, f, a);
		if (is_called(a, f->m->sum) && a->fn == ET_AGG_SUM && (r = row_of(t, f, a, true)))
			add_sum(t->p, f, r, a->raw);
	}
	return number ? ET_AGGWALK_NEXT : ET_AGGWALK_REMOVE;
}

void
values_take(struct export_script *s, unsigned place, struct et *h, bool is_clear)
{
	pthread_mutex_lock(&s->lock);
	struct harvest t = {.s = s, .p = s->places[place], .place = place, .is_clear = is_clear};
	if (t.p->used)
		et_aggregate_walk(h, ET_AGGSORT_NONE, take, &t);
	sb_free(&t.labels);
	pthread_mutex_unlock(&s->lock);
}

/* After a clear(): an element that is empty now. */
static enum et_aggwalk
look_cleared(struct et_aggdata *a, void *arg)
{
	struct harvest *t = arg;
	for (unsigned i = 0; i < t->s->metrics.n; i++) {
		struct family *f = &t->s->fams[i];
		bool is = et_agg_kind(a->fn) == ET_AGGKIND_NUMBER && is_called(a, f->m->agg) && a->count;
		struct row *r = is ? row_of(t, f, a, false) : NULL;
		if (r)
			r->has_last = false; /* this one was not cleared */
	}
	return ET_AGGWALK_NEXT;
}

void
values_cleared(struct export_script *s, unsigned place, struct et *h)
{
	pthread_mutex_lock(&s->lock);
	struct harvest t = {.s = s, .p = s->places[place], .place = place};
	if (t.p->used)
		et_aggregate_walk(h, ET_AGGSORT_NONE, look_cleared, &t);
	for (unsigned i = 0; i < s->metrics.n; i++) {
		struct family *f = &s->fams[i];
		bool cleared = false;
		for (size_t k = 0; k < f->n; k++)
			cleared |= f->rows[k]->node == place && f->rows[k]->has_last;
		if (!cleared)
			continue;
		remove_rows(s, f, place, true);
		for (size_t k = 0; k < f->n; k++) {
			struct row *r = f->rows[k];
			if (r->node != place)
				continue;
			r->value = r->last;
			r->interval = true;
			r->has_last = false;
		}
	}
	sb_free(&t.labels);
	pthread_mutex_unlock(&s->lock);
}

void
values_gone(struct export_script *s, unsigned place)
{
	pthread_mutex_lock(&s->lock);
	for (unsigned i = 0; i < s->metrics.n; i++)
		if (et_agg_kind(s->metrics.at[i].fn) == ET_AGGKIND_NUMBER)
			remove_rows(s, &s->fams[i], place, false);
	pthread_mutex_unlock(&s->lock);
}
