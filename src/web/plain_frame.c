/* The frames of the plain protocol: {key: [[[lo,hi],count],…]} and {key: {key: n}}, with what is new since the last
 * frame. */
#include "web/web.h"

#include <jansson.h>

#include <stdlib.h>
#include <string.h>

enum { PLAIN_PARTS = 100000 }; /* most keys and buckets in a frame; the rest comes with the next one */

struct plain {
	enum run_form form;
	unsigned parts;
	struct et *h;
	json_t *top;
	struct sbuf key;
	uint64_t counted;
	bool failed;
};

/* A key as the name of a member. */
static const char *
plain_name(struct plain *p, const struct et_value *v)
{
	sb_clear(&p->key);
	web_key(&p->key, p->h, v);
	if (p->key.failed)
		return NULL;
	/* goes through the parser, so that the text is valid whatever the key was */
	json_t *t = json_loadb(p->key.at, p->key.len, JSON_DECODE_ANY | JSON_ALLOW_NUL, NULL);
	if (json_is_string(t) && strlen(json_string_value(t)) == json_string_length(t)) {
		sb_clear(&p->key);
		sb_adds(&p->key, json_string_value(t));
	}
	json_decref(t);
	return p->key.failed ? NULL : p->key.at;
}

static json_t *
plain_buckets(struct plain *p, const struct et_aggdata *a)
{
	json_t *all = json_array();
	for (unsigned i = 0; i < a->nbuckets; i++) {
		int64_t low, high, n = et_agg_bucket(a, i, &low, &high);
		if (!n)
			continue;
		p->parts++;
		json_array_append_new(all, json_pack("[[I,I],I]", (json_int_t)low, (json_int_t)high, (json_int_t)n));
	}
	return all;
}

static enum et_aggwalk
on_plain(struct et_aggdata *a, void *arg)
{
	struct plain *p = arg;
	bool wanted = (a->nbuckets != 0) == (p->form == RUN_PLAIN_HEATMAP);
	if (!a->count || !wanted)
		return ET_AGGWALK_REMOVE;
	if (p->parts > PLAIN_PARTS)
		return ET_AGGWALK_NEXT;
	p->parts += 1 + a->nkeys;
	p->counted += a->count;
	if (a->nbuckets) {
		/* all keys of an element form one name */
		struct sbuf name = {0};
		for (unsigned i = 0; i < a->nkeys; i++) {
			const char *k = plain_name(p, &a->keys[i]);
			if (i)
				sb_addc(&name, ' ');
			sb_adds(&name, k ? k : "");
		}
		if (!a->nkeys)
			sb_adds(&name, a->name);
		p->failed |=
		    name.failed || json_object_set_new(p->top, name.at ? name.at : "", plain_buckets(p, a)) != 0;
		sb_free(&name);
		return ET_AGGWALK_REMOVE;
	}
	json_t *in = p->top;
	for (unsigned i = 0; i + 1 < a->nkeys; i++) {
		const char *k = plain_name(p, &a->keys[i]);
		json_t *next = k ? json_object_get(in, k) : NULL;
		if (k && !json_is_object(next)) {
			next = json_object();
			p->failed |= json_object_set_new(in, k, next) != 0;
		}
		if (!k || p->failed) {
			p->failed = true;
			return ET_AGGWALK_ABORT;
		}
		in = next;
	}
	const char *k = a->nkeys ? plain_name(p, &a->keys[a->nkeys - 1]) : a->name;
	p->failed |= !k || json_object_set_new(in, k, json_integer(a->value)) != 0;
	return p->failed ? ET_AGGWALK_ABORT : ET_AGGWALK_REMOVE;
}

static int
to_sbuf(const char *bytes, size_t n, void *b)
{
	sb_add(b, bytes, n);
	return ((struct sbuf *)b)->failed ? -1 : 0;
}

bool
frame_plain(struct et *h, enum run_form form, struct memory_budget *b, struct frame **f, uint64_t *counted)
{
	struct plain p = {.form = form, .h = h, .top = json_object()};
	*f = frame_new(0, b);
	bool ok = *f && p.top && et_aggregate_walk(h, ET_AGGSORT_KEY, on_plain, &p) == 0 && !p.failed &&
		  json_dump_callback(p.top, to_sbuf, &(*f)->text, JSON_COMPACT) == 0;
	if (ok)
		charge_settle(&(*f)->charge, (*f)->text.cap);
	*counted = p.counted;
	json_decref(p.top);
	sb_free(&p.key);
	if (!ok) {
		frame_drop(*f);
		*f = NULL;
	}
	return ok;
}
