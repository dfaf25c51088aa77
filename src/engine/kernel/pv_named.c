/* Providers that are tables of tracepoints and system calls: pv_named.h. */
#include "engine/kernel/pv_named.h"

#include <stdio.h>
#include <string.h>

static bool
is_same(const struct named *a, const struct named *b)
{
	return b->name && strcmp(a->provider, b->provider) == 0 && strcmp(a->name, b->name) == 0;
}

static bool
add(struct probes *ps, const struct provider *pv, const struct named *r)
{
	const char *const names[4] = {r->provider, "vmlinux", "", r->name};
	return probe_add(ps, pv, names, r->types, (int64_t)(uintptr_t)r) != NULL;
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
named_on_demand(struct probes *ps, const struct provider *pv, const struct named *rows)
{
	struct kbtf *b = NULL;
	bool ok = true;
	for (const struct named *r = rows; ok && r->name; r++) {
		const struct pdesc exact = {0, {r->provider, "vmlinux", "", r->name}};
		unsigned n;
		if (!r->rare || strcmp(r->provider, pv->name) != 0 || probes_has(ps, &exact))
			continue;
		if (!b && !(b = kbtf_open(NULL)))
			break;
		if (kbtf_tracepoint(b, r->tp.name, &n))
			ok = add(ps, pv, r);
	}
	kbtf_close(b);
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
attach_one(struct engine *e, const struct named *first, unsigned probe, char *why, size_t whylen)
{
	enum { MAX_CALLS = 16 };
	unsigned probes[MAX_CALLS], n = 0;
	uint32_t calls[MAX_CALLS];
	for (const struct named *r = first; is_same(first, r); r++) {
		if (r->tp.name) {
			if (!kern_attach_rawtp(e, &r->tp, probe, why, whylen))
				return false;
		} else if (n < MAX_CALLS) {
			probes[n] = probe;
			calls[n++] = (uint32_t)r->call;
		}
	}
	/* One program for all the calls. */
	return n == 0 || kern_attach_syscalls(e, probes, calls, n, first->place, why, whylen);
}

bool
named_attach(struct engine *e, const struct pv_bound *bound, unsigned nbound, char *why, size_t whylen)
{
	for (unsigned i = 0; i < nbound; i++) {
		const struct named *r = (const struct named *)(uintptr_t)bound[i].probe->param;
		if (!attach_one(e, r, bound[i].index, why, whylen))
			return false;
	}
	return true;
}
