/* Which descriptions never fired: a user wants to know that at the end. */
#include "api/handle.h"

#include <stdlib.h>
#include <string.h>

bool
api_matched(struct et *h, unsigned index)
{
	if (h->nmatched == h->capmatched) {
		unsigned cap = h->capmatched ? h->capmatched * 2 : 16;
		struct matched *grown = realloc(h->matched, cap * sizeof *grown);
		if (!grown)
			return false;
		h->matched = grown;
		h->capmatched = cap;
	}
	h->matched[h->nmatched++] = (struct matched){h->pdesc, index};
	return true;
}

/* Probes that fire in any case, or need not fire. */
static bool
is_of_tracing(const struct et_probe *p)
{
	return strcmp(p->provider, "dtrace") == 0 || strcmp(p->provider, "profile") == 0;
}

/* Writes the text of a description. Fields that were omitted on the left are omitted again. */
static void
text_of(const struct et *h, uint32_t pdesc, char *text, size_t size)
{
	const struct dobj_pdesc *d = &h->obj.pdescs[pdesc];
	const uint32_t fields[4] = {d->prov, d->mod, d->func, d->name};
	unsigned first = 0;
	size_t at = 0;
	while (first < 3 && !*dobj_str(&h->obj, fields[first]))
		first++;
	for (unsigned i = first; i < 4 && at < size; i++)
		at +=
		    (size_t)snprintf(text + at, size - at, "%s%s", i > first ? ":" : "", dobj_str(&h->obj, fields[i]));
}

int
et_unfired(struct et *h, void (*fn)(void *arg, const char *description), void *arg)
{
	int looked = 0;
	if (h->state == HS_OPEN || !h->engine || !h->ops->fired)
		return -1;
	/* the matches of a description follow each other */
	for (unsigned i = 0; i < h->nmatched;) {
		uint32_t pdesc = h->matched[i].pdesc;
		bool fired = false, counts = false;
		for (; i < h->nmatched && h->matched[i].pdesc == pdesc; i++) {
			unsigned index = h->matched[i].index;
			if (is_of_tracing(&h->bound[index]))
				continue;
			counts = true;
			fired = fired || h->ops->fired(h->engine, index);
		}
		char text[1024];
		looked += counts;
		if (!counts || fired)
			continue;
		text_of(h, pdesc, text, sizeof text);
		fn(arg, text);
	}
	return looked;
}
