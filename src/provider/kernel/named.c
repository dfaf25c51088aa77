/* Providers that are tables of tracepoints and system calls: named.h. */
#include "provider/kernel/named.h"

#include "base/sbuf.h"

#include <stdio.h>
#include <string.h>

static bool
is_same(const struct named *a, const struct named *b)
{
	return b->name && strcmp(a->provider, b->provider) == 0 && strcmp(a->name, b->name) == 0;
}

const char *
named_params(struct probes *ps, const struct kbtf *b, const struct btf_param *params, unsigned n)
{
	struct sbuf text = {0};
	for (unsigned i = 0; i < n && i < RT_NARGS; i++)
		sb_printf(&text, "%s%.60s", i ? "," : "", kbtf_name(b, params[i].name_off));
	const char *s = text.failed ? NULL : ar_strndup(probes_arena(ps), text.at ? text.at : "", text.len);
	sb_free(&text);
	return s;
}

static bool
add(struct probes *ps, const struct provider *pv, const struct named *r)
{
	const char *const names[4] = {r->provider, "vmlinux", "", r->name};
	return probe_add(ps, pv, names, r->types, (int64_t)(uintptr_t)r) != NULL;
}

static bool
is_asked(const struct pdesc *d, const char *provider, const char *name)
{
	return d->names[0] && d->names[3] && strcmp(d->names[0], provider) == 0 && strcmp(d->names[3], name) == 0;
}

bool
named_provide(struct probes *ps, const struct provider *pv, const struct named *rows)
{
	for (const struct named *r = rows; r->name; r++)
		if (!r->rare && strcmp(r->provider, pv->name) == 0 && (r == rows || !is_same(r, r - 1)) &&
		    !add(ps, pv, r))
			return false;
	return true;
}

bool
named_on_demand(
    struct probes *ps, const struct provider *pv, const struct named *rows, const struct pdesc *d, struct why *why)
{
	struct kbtf *b = NULL;
	bool ok = true;
	for (const struct named *r = rows; ok && r->name; r++) {
		const struct pdesc exact = {0, {r->provider, "vmlinux", "", r->name}};
		unsigned n;
		if (!r->rare || strcmp(r->provider, pv->name) != 0 || probes_has(ps, &exact))
			continue;
		if (!b && !(b = kbtf_open(NULL, NULL)))
			break;
		if (kbtf_tracepoint(b, r->tp.name, &n))
			ok = add(ps, pv, r);
	}
	kbtf_close(b);
	for (const struct named *r = rows; ok && r->name; r++) {
		const struct pdesc exact = {0, {r->provider, "vmlinux", "", r->name}};
		if (r->rare && strcmp(r->provider, pv->name) == 0 && is_asked(d, pv->name, r->name) &&
		    !probes_has(ps, &exact))
			why_set(why, "this kernel does not have the tracepoint %s, which %s:::%s is made of",
			    r->tp.name, r->provider, r->name);
	}
	return ok;
}

bool
named_claims(const struct pdesc *d, const char *provider)
{
	bool any = false;
	for (unsigned i = 0; i < 4; i++)
		any |= d->names[i] && d->names[i][0];
	return !any || (d->names[0] && d->names[0][0] && probe_glob(d->names[0], provider));
}

static bool
attach_one(struct engine *e, const struct named *first, unsigned probe, struct why *why)
{
	enum { MAX_CALLS = 16 };
	unsigned probes[MAX_CALLS], n = 0;
	uint32_t calls[MAX_CALLS];
	enum kern_place place = first->place;
	for (const struct named *r = first; is_same(first, r); r++) {
		if (r->tp.name) {
			if (!kern_attach_rawtp(e, &r->tp, probe, why))
				return false;
		} else if (r->event) {
			if (!kern_attach_event(e, probe, r->event - 1, why))
				return false;
		} else if (n < MAX_CALLS) {
			probes[n] = probe;
			calls[n++] = (uint32_t)r->call;
			place = r->place;
		}
	}
	/* One program for all the calls. */
	return n == 0 || kern_attach_syscalls(e, probes, calls, n, place, why);
}

bool
named_start(struct pv_start *s, struct why *why)
{
	for (unsigned i = 0; i < s->nbound; i++) {
		const struct named *r = (const struct named *)(uintptr_t)s->bound[i].probe->param;
		if (!attach_one(s->engine, r, s->bound[i].index, why))
			return false;
	}
	return true;
}
