/* See wire.h. The machines that erltrace runs on are little-endian, so the rows go as they are. */
#include "node/wire.h"

#include <stdlib.h>
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

/* Returns how many words are not zero, or nwords if not all of them can travel alone. */
static uint32_t
count_words(const uint64_t *words, uint32_t nwords)
{
	uint32_t few = 0;
	if (nwords > WIRE_NUMBERS)
		return nwords;
	for (uint32_t i = 0; i < nwords; i++) {
		if (words[i] >= WIRE_VALUES)
			return nwords;
		few += words[i] != 0;
	}
	return few;
}

void
wire_add_agg(struct sbuf *b, unsigned agg, const void *key, size_t keylen, const uint64_t *words, uint32_t nwords)
{
	uint32_t few = count_words(words, nwords);
	struct wire_agg w = {.agg = agg, .keylen = (uint32_t)keylen, .nwords = nwords};
	if (few < nwords) {
		w.nwords = few;
		w.dense = nwords;
	}
	sb_add(b, &w, sizeof w);
	sb_add(b, key, keylen);
	sb_fill(b, 0, padded(keylen) - keylen);
	if (!w.dense)
		sb_add(b, words, nwords * sizeof *words);
	for (uint32_t i = 0; w.dense && i < nwords; i++)
		if (words[i]) {
			uint64_t one = WIRE_WORD(i, words[i]);
			sb_add(b, &one, sizeof one);
		}
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

/* Puts the words where they belong. Returns NULL if they make no sense, or there is no memory. */
static const uint64_t *
spread(struct wire_in *in, struct wire_agg *a, const uint64_t *words)
{
	if (a->dense > WIRE_DENSE_MOST)
		return NULL;
	if (a->dense > in->cap) {
		uint64_t *grown = realloc(in->room, a->dense * sizeof *grown);
		if (!grown)
			return NULL;
		in->room = grown;
		in->cap = a->dense;
	}
	memset(in->room, 0, a->dense * sizeof *in->room);
	for (uint32_t i = 0; i < a->nwords; i++) {
		uint64_t number = words[i] / WIRE_VALUES;
		if (number >= a->dense)
			return NULL;
		in->room[number] = words[i] % WIRE_VALUES;
	}
	a->nwords = a->dense;
	return in->room;
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
	if (*words && a->dense) {
		*words = spread(&try, a, *words);
		in->room = try.room;
		in->cap = try.cap;
	}
	if (!*words)
		return false;
	*in = try;
	return true;
}

void
wire_done(struct wire_in *in)
{
	free(in->room);
	in->room = NULL;
	in->cap = 0;
}
