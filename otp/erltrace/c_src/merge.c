/* See merge.h. */
#include "merge.h"

#include "node/wire.h"

#include <stdlib.h>
#include <string.h>

struct input {
	struct wire_in in;
	char *copy; /* NULL if it is read where it is */
};

/* Reads the first word, and copies the rest if it is not aligned. */
static bool
take_in(const ErlNifBinary *b, struct input *in, uint64_t *part)
{
	uint64_t no;
	if (b->size < sizeof no || b->size % 8)
		return false;
	memcpy(&no, b->data, sizeof no);
	*part |= no & WIRE_PART;
	in->in.at = (const char *)b->data + sizeof no;
	in->in.left = b->size - sizeof no;
	if ((uintptr_t)in->in.at % 8 == 0)
		return true;
	in->copy = malloc(in->in.left + 1);
	if (!in->copy)
		return false;
	in->in.at = memcpy(in->copy, in->in.at, in->in.left);
	return true;
}

static bool
merge_inputs(const struct opened *s, const struct input *all, unsigned n, struct sbuf *out)
{
	struct wire_in *in = calloc(n + 1, sizeof *in);
	for (unsigned i = 0; in && i < n; i++)
		in[i] = all[i].in;
	bool ok = in && wire_merge(out, &s->row->obj, in, n) && !out->failed;
	free(in);
	return ok;
}

bool
merge_snapshots(ErlNifEnv *env, const struct opened *s, ERL_NIF_TERM list, struct sbuf *out)
{
	unsigned n = 0, i = 0;
	uint64_t part = 0;
	ERL_NIF_TERM head;
	ErlNifBinary b;
	if (!s->row || !s->started || !enif_get_list_length(env, list, &n))
		return false;
	struct input *all = calloc(n + 1, sizeof *all);
	while (all && enif_get_list_cell(env, list, &head, &list) && enif_inspect_binary(env, head, &b) &&
	       take_in(&b, &all[i], &part))
		i++;
	sb_add(out, &part, sizeof part);
	bool ok = all && i == n && merge_inputs(s, all, n, out);
	for (i = 0; all && i < n; i++)
		free(all[i].copy);
	free(all);
	return ok;
}
