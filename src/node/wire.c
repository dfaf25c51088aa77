/* See wire.h. The machines that erltrace runs on are little-endian, so the rows go as they are. */
#include "node/wire.h"

#include <string.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the wire format is little-endian");

static size_t
padded(size_t n)
{
	return (n + 7) & ~(size_t)7;
}

void
wire_add_rec(struct sbuf *b, unsigned shard, const struct eng_rec *r, uint32_t len)
{
	struct wire_rec w = {.shard = shard,
	    .epid = r->epid,
	    .cpu = r->cpu,
	    .len = r->fault >= 0 ? 0 : len,
	    .time = r->time,
	    .fault_value = r->fault_value,
	    .fault = r->fault,
	    .fault_action = r->fault_action,
	    .fault_pc = r->fault_pc,
	    .cut = r->cut};
	sb_add(b, &w, sizeof w);
	sb_add(b, r->data, w.len);
	sb_fill(b, 0, padded(w.len) - w.len);
}

void
wire_add_agg(struct sbuf *b, unsigned agg, const void *key, size_t keylen, const uint64_t *words, uint32_t nwords)
{
	struct wire_agg w = {.agg = agg, .keylen = (uint32_t)keylen, .nwords = nwords};
	sb_add(b, &w, sizeof w);
	sb_add(b, key, keylen);
	sb_fill(b, 0, padded(keylen) - keylen);
	sb_add(b, words, nwords * sizeof *words);
}

static const void *
take(struct wire_in *in, size_t n)
{
	if (n > in->left)
		return NULL;
	const void *p = in->at;
	in->at += n;
	in->left -= n;
	return p;
}

bool
wire_next_rec(struct wire_in *in, unsigned *shard, struct eng_rec *r, uint32_t *len)
{
	struct wire_in try = *in;
	const struct wire_rec *w = take(&try, sizeof *w);
	const char *data = w ? take(&try, padded(w->len)) : NULL;
	if (!data)
		return false;
	*shard = w->shard;
	*len = w->len;
	*r = (struct eng_rec){.epid = w->epid,
	    .cpu = w->cpu,
	    .cut = (uint16_t)w->cut,
	    .time = w->time,
	    .data = data,
	    .fault = w->fault,
	    .fault_action = w->fault_action,
	    .fault_pc = w->fault_pc,
	    .fault_value = w->fault_value};
	*in = try;
	return true;
}

bool
wire_next_agg(struct wire_in *in, struct wire_agg *a, const void **key, const uint64_t **words)
{
	struct wire_in try = *in;
	const struct wire_agg *w = take(&try, sizeof *w);
	if (!w)
		return false;
	*a = *w;
	*key = take(&try, padded(w->keylen));
	*words = *key ? take(&try, (size_t)w->nwords * 8) : NULL;
	if (!*words)
		return false;
	*in = try;
	return true;
}
