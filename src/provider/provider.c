/*
 * The registry of probes. Names are interned. For each of the four fields a name knows the probes that carry it. So a
 * description with at least one literal field looks only at those probes, and a glob is tried once for a run of probes
 * with the same name, not once per probe.
 */
#include "provider/provider.h"
#include "base/hash.h"
#include "base/strmap.h"

#include <stdio.h>
#include <stdlib.h>

#define X(name) &provider_##name,
const struct provider *const provider_table[] = {PROVIDERS(X) KERNEL_PROVIDERS(X) NULL};
#undef X

#ifdef ET_TINY
enum { FIRST_SLOTS = 2, FIRST_ROWS = 1 };
#else
enum { FIRST_SLOTS = 256, FIRST_ROWS = 64 };
#endif

enum { MAX_PROVIDERS = 64 };

/* A name and, field by field, the rows of the probes that have it there. */
struct name {
	struct name *next; /* in its slot */
	unsigned hash;
	struct {
		unsigned first, last, n; /* rows; valid when n > 0 */
	} in[4];
	char text[];
};

struct probe_row {
	struct probe probe;
	struct name *names[4];
	unsigned next[4]; /* the next row with the same name in this field; 0 if none */
};

struct probes {
	struct arena ar;
	struct probe_row **rows; /* rows[id - 1] */
	unsigned n, cap;
	struct name **slots;
	unsigned nslots, nnames;
	const struct erlang_link *erlang;
	const char *near; /* see probes_set_near */
	const char *hint; /* see probes_set_hint */
	const char *tag;  /* see probes_set_tag */
	bool later;       /* see probes_set_later */
	struct provided *asked;
	void *states[MAX_PROVIDERS];
	void (*ready)(void *arg, int64_t pid);
	void *readyarg;
	const atomic_bool *stop; /* or NULL */
	const char *denied;      /* why there are no probes of the kernel, or NULL */
	void (*note)(void *arg, const char *text);
	void *notearg;
	unsigned *whole; /* rows by all four names: open addressing, position plus one */
	unsigned nwhole;
};

/* A description that on-demand probes were made for. */
struct provided {
	struct provided *next;
	struct name *names[4];
};

static unsigned
hash_of(const char *s)
{
	return (unsigned)hash_bytes(s, strlen(s));
}

static struct name *
name_find(const struct probes *ps, const char *text)
{
	unsigned h = hash_of(text);
	struct name *n = ps->slots[h & (ps->nslots - 1)];
	while (n && (n->hash != h || strcmp(n->text, text) != 0))
		n = n->next;
	return n;
}

static bool
slots_grow(struct probes *ps)
{
	unsigned nslots = ps->nslots * 2;
	struct name **slots = calloc(nslots, sizeof(struct name *));
	if (!slots)
		return false;
	for (unsigned i = 0; i < ps->nslots; i++)
		for (struct name *n = ps->slots[i], *next; n; n = next) {
			next = n->next;
			n->next = slots[n->hash & (nslots - 1)];
			slots[n->hash & (nslots - 1)] = n;
		}
	free(ps->slots);
	ps->slots = slots;
	ps->nslots = nslots;
	return true;
}

static struct name *
name_intern(struct probes *ps, const char *text)
{
	struct name *n = name_find(ps, text);
	if (n)
		return n;
	if (ps->nnames >= ps->nslots && !slots_grow(ps))
		return NULL;
	size_t len = strlen(text);
	n = ar_alloc(&ps->ar, sizeof *n + len + 1);
	if (!n)
		return NULL;
	memcpy(n->text, text, len + 1);
	n->hash = hash_of(text);
	n->next = ps->slots[n->hash & (ps->nslots - 1)];
	ps->slots[n->hash & (ps->nslots - 1)] = n;
	ps->nnames++;
	return n;
}

struct probes *
probes_new(void)
{
	struct probes *ps = calloc(1, sizeof *ps);
	if (!ps)
		return NULL;
	ar_init(&ps->ar, NULL);
	ps->nslots = FIRST_SLOTS;
	ps->slots = calloc(ps->nslots, sizeof(struct name *));
	bool ok = ps->slots != NULL;
	for (unsigned i = 0; ok && provider_table[i]; i++)
		ok = !provider_table[i]->provide || provider_table[i]->provide(ps, provider_table[i]);
	if (ok)
		return ps;
	probes_free(ps);
	return NULL;
}

void
probes_free(struct probes *ps)
{
	if (!ps)
		return;
	ar_free(&ps->ar);
	free(ps->rows);
	free(ps->slots);
	free(ps->whole);
	free(ps);
}

/* Returns where a row with these names is, or would be. */
static unsigned
whole_slot(const struct probes *ps, struct name *const names[4])
{
	unsigned at = (unsigned)hash_bytes(names, 4 * sizeof *names) & (ps->nwhole - 1);
	while (ps->whole[at] && memcmp(ps->rows[ps->whole[at] - 1]->names, names, 4 * sizeof *names) != 0)
		at = (at + 1) & (ps->nwhole - 1);
	return at;
}

static bool
whole_grow(struct probes *ps)
{
	unsigned n = ps->nwhole ? ps->nwhole * 2 : FIRST_SLOTS * 2;
	unsigned *grown = calloc(n, sizeof *grown);
	if (!grown)
		return false;
	free(ps->whole);
	ps->whole = grown;
	ps->nwhole = n;
	for (unsigned i = 0; i < ps->n; i++) {
		unsigned at = whole_slot(ps, ps->rows[i]->names);
		if (!ps->whole[at])
			ps->whole[at] = i + 1;
	}
	return true;
}

struct probe *
probe_add(struct probes *ps, const struct provider *pv, const char *const names[4], const char *const *argtypes,
    int64_t param)
{
	if ((ps->n + 1) * 2 > ps->nwhole && !whole_grow(ps))
		return NULL;
	if (ps->n == ps->cap) {
		unsigned cap = ps->cap ? ps->cap * 2 : FIRST_ROWS;
		struct probe_row **rows = realloc(ps->rows, cap * sizeof(struct probe_row *));
		if (!rows)
			return NULL;
		ps->rows = rows;
		ps->cap = cap;
	}
	struct probe_row *r = AR_NEW(&ps->ar, struct probe_row);
	if (!r)
		return NULL;
	for (unsigned f = 0; f < 4; f++) {
		r->names[f] = name_intern(ps, names[f]);
		if (!r->names[f])
			return NULL;
		r->probe.names[f] = r->names[f]->text;
	}
	unsigned at = ps->n++;
	ps->rows[at] = r;
	r->probe.id = at + 1;
	r->probe.pv = pv;
	r->probe.argtypes = argtypes;
	r->probe.param = param;
	for (const struct pv_text *t = pv ? pv->argnames : NULL; t && t->name && !r->probe.argnames; t++)
		if (probe_glob(t->name, names[3]))
			r->probe.argnames = t->text;
	unsigned slot = whole_slot(ps, r->names);
	if (!ps->whole[slot])
		ps->whole[slot] = at + 1;
	for (unsigned f = 0; f < 4; f++) {
		struct name *n = r->names[f];
		if (n->in[f].n++ == 0)
			n->in[f].first = at;
		else
			ps->rows[n->in[f].last]->next[f] = at;
		n->in[f].last = at;
	}
	return &r->probe;
}

bool
probe_has_terms(const struct probe *p)
{
	return p->pv && strcmp(p->pv->name, provider_erlang.name) == 0 && p->names[2][0];
}

struct probe_args
probes_args(struct probes *ps, const struct probe *p)
{
	struct probe_args a = {p->argtypes, p->argnames, NULL};
	if (p->pv && p->pv->args)
		p->pv->args(ps, p, &a);
	return a;
}

unsigned
probes_count(const struct probes *ps)
{
	return ps->n;
}

const struct probe *
probe_by_id(const struct probes *ps, uint32_t id)
{
	return id >= 1 && id <= ps->n ? &ps->rows[id - 1]->probe : NULL;
}

/* One bracket expression at p[0] == '['. *end gets what follows it, or NULL if it is not closed. */
static bool
in_brackets(const char *p, unsigned char c, const char **end)
{
	bool negate = p[1] == '!', found = false;
	p += negate ? 2 : 1;
	for (bool first = true; *p != ']' || first; first = false) {
		if (*p == '\\' && p[1])
			p++;
		if (!*p) {
			*end = NULL;
			return false;
		}
		unsigned char lo = (unsigned char)*p++, hi = lo;
		if (*p == '-' && p[1] && p[1] != ']') {
			p++;
			if (*p == '\\' && p[1])
				p++;
			hi = (unsigned char)*p++;
		}
		found |= lo <= c && c <= hi;
	}
	*end = p + 1;
	return found != negate;
}

/* Linear in practice, and at most |pattern| × |s|: only the last * is ever tried again. */
static bool
glob(const char *p, const char *s)
{
	const char *star = NULL, *from = NULL;
	for (;;) {
		const char *next = p + 1;
		bool ok;
		if (*p == '*') {
			star = ++p;
			from = s;
			continue;
		}
		if (!*s)
			return !*p;
		if (*p == '?')
			ok = true;
		else if (*p == '[') {
			ok = in_brackets(p, (unsigned char)*s, &next);
			if (!next)
				return false;
		} else {
			if (*p == '\\' && p[1])
				next = ++p + 1;
			ok = *p == *s;
		}
		if (ok) {
			p = next;
			s++;
		} else if (star) {
			p = star;
			s = ++from;
		} else
			return false;
	}
}

bool
probe_glob(const char *pattern, const char *s)
{
	return !*pattern || glob(pattern, s);
}

static bool
is_glob(const char *s)
{
	return strpbrk(s, "*?[\\") != NULL;
}

static bool
is_literal(const char *s)
{
	return *s && !is_glob(s);
}

/* A field of a description while probes are tried: the answer for the last name seen is kept. */
struct matcher {
	const char *pattern;
	bool all, glob;
	const struct name *last;
	bool answer;
};

static bool
matches(struct matcher *m, const struct name *n)
{
	if (m->all)
		return true;
	if (n != m->last) {
		m->last = n;
		m->answer = m->glob ? glob(m->pattern, n->text) : strcmp(m->pattern, n->text) == 0;
	}
	return m->answer;
}

void
probes_set_stop(struct probes *ps, const atomic_bool *stop)
{
	ps->stop = stop;
}

bool
probes_stopped(const struct probes *ps)
{
	return ps->stop && atomic_load_explicit(ps->stop, memory_order_relaxed);
}

void
probes_deny_kernel(struct probes *ps, const char *why)
{
	ps->denied = why;
}

static bool
is_hidden(const struct probes *ps, const struct provider *pv)
{
	return ps->denied && pv->kernel;
}

/* Returns -1 if probes_stopped(). */
static int
match_names(struct probes *ps, const struct pdesc *d, const struct provider *only,
    void (*fn)(void *arg, const struct probe *p), void *arg)
{
	struct matcher m[4];
	unsigned best = 4, best_n = ps->n, at = 0;
	for (unsigned f = 0; f < 4; f++) {
		const char *s = d->names[f] ? d->names[f] : "";
		m[f] = (struct matcher){.pattern = s, .all = !*s || strcmp(s, "*") == 0, .glob = is_glob(s)};
		if (m[f].all || m[f].glob)
			continue;
		const struct name *n = name_find(ps, s);
		if (!n || n->in[f].n == 0)
			return 0;
		if (n->in[f].n <= best_n) {
			best = f;
			best_n = n->in[f].n;
			at = n->in[f].first;
		}
	}
	int count = 0;
	for (unsigned left = best_n; left; left--) {
		struct probe_row *r = ps->rows[at];
		/* fn may add probes, which did not exist when we began. */
		at = best < 4 ? r->next[best] : at + 1;
		if (probes_stopped(ps))
			return -1;
		bool ok = (!only || r->probe.pv == only) && !is_hidden(ps, r->probe.pv);
		for (unsigned f = 0; ok && f < 4; f++)
			ok = matches(&m[f], r->names[f]);
		if (!ok)
			continue;
		count++;
		if (fn)
			fn(arg, &r->probe);
	}
	return count;
}

static bool
claims(struct probes *ps, const struct provider *pv, const struct pdesc *d)
{
	if (pv->claims)
		return pv->claims(ps, d);
	return d->names[3] && is_literal(d->names[3]) && probe_glob(d->names[0] ? d->names[0] : "", pv->name);
}

const struct probe *
probes_find(const struct probes *ps, const struct pdesc *d)
{
	struct name *names[4];
	for (unsigned f = 0; f < 4; f++)
		if (!(names[f] = name_find(ps, d->names[f])) || !names[f]->in[f].n)
			return NULL;
	unsigned at = ps->whole[whole_slot(ps, names)];
	return at ? &ps->rows[at - 1]->probe : NULL;
}

bool
probes_has(const struct probes *ps, const struct pdesc *d)
{
	return probes_find(ps, d) != NULL;
}

struct arena *
probes_arena(struct probes *ps)
{
	return &ps->ar;
}

const struct erlang_link *
probes_erlang(const struct probes *ps)
{
	return ps->erlang;
}

void
probes_set_erlang(struct probes *ps, const struct erlang_link *link)
{
	ps->erlang = link;
}

bool
probes_asked(struct probes *ps, const struct pdesc *d)
{
	struct name *names[4];
	for (unsigned f = 0; f < 4; f++)
		if (!(names[f] = name_intern(ps, d->names[f] ? d->names[f] : "")))
			return false;
	for (const struct provided *a = ps->asked; a; a = a->next)
		if (memcmp(a->names, names, sizeof names) == 0)
			return true;
	struct provided *a = AR_NEW(&ps->ar, struct provided);
	if (a) {
		a->next = ps->asked;
		memcpy(a->names, names, sizeof names);
		ps->asked = a;
	}
	return false;
}

void **
probes_state(struct probes *ps, const struct provider *pv)
{
	unsigned i = 0;
	while (provider_table[i] && provider_table[i] != pv)
		i++;
	return &ps->states[i < MAX_PROVIDERS ? i : MAX_PROVIDERS - 1];
}

void
probes_ready(struct probes *ps, int64_t pid)
{
	if (ps->ready)
		ps->ready(ps->readyarg, pid);
}

void
probes_set_ready(struct probes *ps, void (*fn)(void *arg, int64_t pid), void *arg)
{
	ps->ready = fn;
	ps->readyarg = arg;
}

static int
stopped(struct why *why)
{
	why_set(why, "interrupted");
	return -1;
}

/* Returns whether a description's first field is the provider's name, which for some is followed by a process id. */
static bool
is_named(const struct provider *pv, const struct pdesc *d)
{
	const char *s = d->names[0] ? d->names[0] : "";
	size_t n = strlen(pv->name);
	return strncmp(s, pv->name, n) == 0 && strspn(s + n, "0123456789*") == strlen(s + n);
}

/* Says why a description has no match, if a provider that it names knows. */
static void
why_none(const struct probes *ps, const struct pdesc *d, struct why *why)
{
	for (unsigned i = 0; provider_table[i]; i++) {
		const struct provider *pv = provider_table[i];
		if (!is_named(pv, d))
			continue;
		if (is_hidden(ps, pv))
			why_set(why, "%s", ps->denied);
		else if (pv->kernel && !pv->start && !why->text[0])
			why_set(why,
			    "the %s provider needs the kernel engine, which this erltrace was built without: build it "
			    "where clang is installed",
			    d->names[0]);
		for (const struct pv_text *t = pv->absent; t && t->name && !is_hidden(ps, pv); t++)
			if (strcmp(d->names[0], pv->name) == 0 && d->names[3] && strcmp(d->names[3], t->name) == 0)
				why_set(why, "there is no %s:::%s: %s", pv->name, t->name, t->text);
	}
}

void
probes_set_note(struct probes *ps, void (*fn)(void *arg, const char *text), void *arg)
{
	ps->note = fn;
	ps->notearg = arg;
}

void
probes_note(struct probes *ps, const char *text)
{
	if (ps->note)
		ps->note(ps->notearg, text);
}

int
probes_match(
    struct probes *ps, const struct pdesc *d, void (*fn)(void *arg, const struct probe *p), void *arg, struct why *why)
{
	struct why unasked;
	if (!why)
		why = &unasked;
	why->text[0] = '\0';
	if (d->id) {
		const struct probe *p = probe_by_id(ps, d->id);
		if (p && is_hidden(ps, p->pv)) {
			why_set(why, "%s", ps->denied);
			return -1;
		}
		if (p && fn)
			fn(arg, p);
		return p != NULL;
	}
	ps->near = ps->hint = ps->tag = NULL;
	for (unsigned i = 0; provider_table[i]; i++) {
		const struct provider *pv = provider_table[i];
		if (probes_stopped(ps))
			return stopped(why);
		if (pv->on_demand && !is_hidden(ps, pv) && claims(ps, pv, d) && !pv->on_demand(ps, pv, d, why)) {
			if (probes_stopped(ps))
				return stopped(why);
			if (!why->text[0])
				why_set(why, "out of memory");
			return -1;
		}
	}
	const struct provider *only = NULL;
	struct pdesc meant = *d;
	char buf[64];
	for (unsigned i = 0; provider_table[i] && !only; i++) {
		const struct provider *pv = provider_table[i];
		const char *names = pv->alias && !is_hidden(ps, pv) ? pv->alias(d, buf, sizeof buf) : NULL;
		if (names) {
			only = pv;
			meant.names[0] = names;
		}
	}
	int n = match_names(ps, &meant, only, fn, arg);
	if (n < 0)
		return stopped(why);
	if (n == 0)
		why_none(ps, d, why);
	return n == 0 && why->text[0] ? -1 : n;
}

void
probes_set_near(struct probes *ps, const char *text)
{
	ps->near = text ? ar_strndup(&ps->ar, text, strlen(text)) : NULL;
}

void
probes_set_hint(struct probes *ps, const char *text)
{
	ps->hint = text ? ar_strndup(&ps->ar, text, strlen(text)) : NULL;
}

const char *
probes_hint(const struct probes *ps)
{
	return ps->hint;
}

void
probes_set_tag(struct probes *ps, const char *tag)
{
	ps->tag = tag;
}

const char *
probes_tag(const struct probes *ps)
{
	return ps->tag ? ps->tag : "D_PDESC_ZERO";
}

void
probes_set_later(struct probes *ps, bool later)
{
	ps->later = later;
}

bool
probes_later(const struct probes *ps)
{
	return ps->later;
}

const char *
probes_near(struct probes *ps, const struct pdesc *d)
{
	if (d->id)
		return NULL;
	if (ps->near)
		return ps->near;
	bool no_provider = !d->names[0] || !d->names[0][0];
	for (unsigned i = 0; provider_table[i] && no_provider; i++) {
		const struct provider *pv = provider_table[i];
		const char *meant = pv->meant && !is_hidden(ps, pv) ? pv->meant(ps, d) : NULL;
		if (meant)
			return meant;
	}
	for (unsigned f = 0; f < 4; f++) {
		const char *s = d->names[f] ? d->names[f] : "";
		if (!is_literal(s))
			continue;
		const struct name *known = name_find(ps, s);
		if (known && known->in[f].n)
			continue;
		const char **candidates = malloc((size_t)ps->nnames * sizeof(char *));
		if (!candidates)
			return NULL;
		size_t n = 0;
		/* In order of id, so that the answer does not depend on the hash. */
		for (unsigned i = 0; i < ps->n; i++)
			if (ps->rows[i]->names[f]->in[f].first == i && ps->rows[i]->names[f]->text[0] &&
			    !is_hidden(ps, ps->rows[i]->probe.pv))
				candidates[n++] = ps->rows[i]->names[f]->text;
		const char *near = near_miss(s, candidates, n);
		free(candidates);
		return near;
	}
	return NULL;
}

/* The names of probes, each once; those that do not fit are left out. */
struct siblings {
	const char *names[8];
	unsigned n;
	bool more;
};

static void
on_sibling(void *arg, const struct probe *p)
{
	struct siblings *s = arg;
	for (unsigned i = 0; i < s->n; i++)
		if (strcmp(s->names[i], p->names[3]) == 0)
			return;
	if (s->n == sizeof s->names / sizeof *s->names)
		s->more = true;
	else
		s->names[s->n++] = p->names[3];
}

const char *
probes_siblings(struct probes *ps, const struct pdesc *d, char *text, size_t size)
{
	struct siblings s = {0};
	struct pdesc any = *d;
	any.names[3] = NULL;
	if (d->id || !d->names[0] || !d->names[0][0] || match_names(ps, &any, NULL, on_sibling, &s) <= 0)
		return NULL;
	size_t at = 0;
	for (unsigned i = 0; i < s.n && at < size; i++)
		at += (size_t)snprintf(text + at, size - at, "%s%s", i ? ", " : "its names are: ", s.names[i]);
	/* if there are many, a few would not help */
	if (s.more || at >= size)
		snprintf(text, size, "its names are many: -l -n '%s:%s:%s:' lists them", d->names[0],
		    d->names[1] ? d->names[1] : "", d->names[2] ? d->names[2] : "");
	return text;
}
