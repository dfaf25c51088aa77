/* Aggregations as terms: {Agg, Keys, Value}, with what is new since the last walk. */
#include "port/port.h"

#include <string.h>

struct walking {
	struct port *p;
	const struct walk_opts *o;
	ei_x_buff *x;
	unsigned n;
};

static bool
is_asked(const struct walk_opts *o, const char *name)
{
	for (unsigned i = 0; i < o->nonly; i++)
		if (strcmp(o->only[i][0] == '@' ? o->only[i] + 1 : o->only[i], name) == 0)
			return true;
	return !o->nonly;
}

/* Adds the buckets that are not empty, ascending. */
static void
add_buckets(ei_x_buff *x, const struct et_aggdata *a)
{
	for (unsigned i = 0; i < a->nbuckets; i++) {
		int64_t low, high, count = et_agg_bucket(a, i, &low, &high);
		if (!count)
			continue;
		ei_x_encode_list_header(x, 1);
		ei_x_encode_tuple_header(x, 2);
		ei_x_encode_tuple_header(x, 2);
		ei_x_encode_longlong(x, low);
		ei_x_encode_longlong(x, high);
		ei_x_encode_longlong(x, count);
	}
	ei_x_encode_empty_list(x);
}

static enum et_aggwalk
on_element(struct et_aggdata *a, void *arg)
{
	struct walking *w = arg;
	ei_x_buff *x = w->x;
	if (!is_asked(w->o, a->name))
		return ET_AGGWALK_NEXT;
	if (a->count) {
		ei_x_encode_list_header(x, 1);
		ei_x_encode_tuple_header(x, w->o->named ? 4 : 3);
		if (w->o->named)
			term_string(w->p, x, a->name);
		ei_x_encode_atom(x, et_agg_name(a->fn));
		if (a->nkeys)
			ei_x_encode_list_header(x, (int)a->nkeys);
		for (unsigned i = 0; i < a->nkeys; i++)
			term_value(w->p, x, &a->keys[i]);
		ei_x_encode_empty_list(x);
		if (a->nbuckets)
			add_buckets(x, a);
		else
			ei_x_encode_longlong(x, a->value);
		w->n++;
	}
	return w->o->keep ? ET_AGGWALK_NEXT : ET_AGGWALK_REMOVE;
}

int
walk_take(struct port *p, const struct walk_opts *o, ei_x_buff *x)
{
	struct walking w = {p, o, x, 0};
	int start = x->index;
	if (et_aggregate_snap(p->h) != 0)
		return -1;
	ei_x_encode_tuple_header(x, 2);
	ei_x_encode_atom(x, "ok");
	if (et_aggregate_walk(p->h, ET_AGGSORT_KEY, on_element, &w) != 0) {
		x->index = start;
		return -1;
	}
	ei_x_encode_empty_list(x);
	if (!w.n) {
		x->index = start;
		ei_x_encode_atom(x, "ok");
	}
	return 0;
}
