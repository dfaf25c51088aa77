/* What comes back from the engine inside a node: its status, and records and aggregations as bytes (wire.h). Everything
 * is checked, because the node may lie. */
#include "base/clock.h"
#include "node/remote.h"
#include "node/term.h"
#include "node/wire.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool
remote_read_ok(const ei_x_buff *x, int *index)
{
	char tag[MAXATOMLEN];
	int arity;
	return !ei_decode_tuple_header(x->buff, index, &arity) && arity == 2 && !ei_decode_atom(x->buff, index, tag) &&
	       strcmp(tag, "ok") == 0;
}

bool
remote_read_count(const ei_x_buff *x, int map, const char *name, uint64_t *n)
{
	unsigned long long v;
	int index;
	if (!term_field(x, map, name, &index) || ei_decode_ulonglong(x->buff, &index, &v))
		return false;
	*n = v;
	return true;
}

/* Appends a binary of the reply (wire.h) without its first word, which goes to *no. This keeps the alignment to 8,
 * because everything in it is a multiple of that. */
static bool
append(const ei_x_buff *x, int *index, char **at, size_t *n, uint64_t *no, bool *part)
{
	int type, size;
	long len;
	if (ei_get_type(x->buff, index, &type, &size) || type != ERL_BINARY_EXT || size % 8 || !size)
		return false;
	char *grown = realloc(*at, *n + (size_t)size);
	if (!grown)
		return false;
	*at = grown;
	if (ei_decode_binary(x->buff, index, *at + *n, &len))
		return false;
	memcpy(no, *at + *n, sizeof *no);
	*part = *no & WIRE_PART;
	*no &= ~WIRE_PART;
	memmove(*at + *n, *at + *n + sizeof *no, (size_t)size - sizeof *no);
	*n += (size_t)size - sizeof *no;
	return true;
}

/* Fields of NODE_STATUS, by their kinds. */
static bool
remote_read_flag(const ei_x_buff *x, int map, const char *name, bool *b)
{
	int v, index;
	if (!term_field(x, map, name, &index) || ei_decode_boolean(x->buff, &index, &v))
		return false;
	*b = v;
	return true;
}

static bool
remote_read_number(const ei_x_buff *x, int map, const char *name, int *n)
{
	long v;
	int index;
	if (!term_field(x, map, name, &index) || ei_decode_long(x->buff, &index, &v))
		return false;
	*n = (int)v;
	return true;
}

/* Why the node has ended the script; the first answer is kept. */
static bool
read_ended(struct remote_engine *e, const ei_x_buff *x, int map)
{
	int index;
	char *text = term_field(x, map, "ended", &index) ? term_read_text(x, &index) : NULL;
	if (!text)
		return false;
	if (text[0] && !e->ended[0])
		snprintf(e->ended, sizeof e->ended, "node %s: %s", e->node->name, text);
	free(text);
	return true;
}

static void
read_drops(const ei_x_buff *x, int map, uint64_t drops[ENG_NDROPS])
{
#define X(id, text) remote_read_count(x, map, #id, &drops[ENG_DROP_##id]);
	ENG_DROPS(X)
#undef X
}

/* Status. */
static bool
read_status(struct remote_engine *e, const ei_x_buff *x, int map)
{
	struct eng_status st = {.metered = true};
	int drops;
#define X(name, kind) \
	if (!remote_read_##kind(x, map, #name, &st.name)) \
		return false;
	NODE_STATUS(X)
#undef X
	if (!term_field(x, map, "drops", &drops) || !read_ended(e, x, map))
		return false;
	read_drops(x, drops, st.drops);
	remote_read_count(x, map, "nodes", &st.nodes);
	e->status = st;
	return true;
}

/* An answer that makes no sense comes from an agent that has ended the script. */
static void
lose_answer(struct remote_engine *e)
{
	struct why why;
	why_set(&why, "node %s: tracing was ended there", e->node->name);
	remote_lose(e, why.text);
}

static bool
read_bytes(const ei_x_buff *x, int map, const char *name, char **at, size_t *n, uint64_t *no, bool *part)
{
	int index;
	return term_field(x, map, name, &index) && append(x, &index, at, n, no, part);
}

static bool
read_records(struct remote_engine *e, const ei_x_buff *x, int map)
{
	int status;
	return term_field(x, map, "status", &status) && read_status(e, x, status) &&
	       read_bytes(x, map, "records", &e->records, &e->nrecords, &e->drains, &e->part[true]);
}

static bool
read_work(struct remote_engine *e, const ei_x_buff *x, int map)
{
	uint64_t snaps;
	if (!read_records(e, x, map) ||
	    !read_bytes(x, map, "aggregations", &e->aggs, &e->naggs, &snaps, &e->part[false]))
		return false;
	remote_hold_taken(e->node, true);
	e->node->taken.snaps = snaps;
	remote_hold_taken(e->node, false);
	return true;
}

/* Asks for the status, or with `work` also for what was gathered. */
static void
ask_for(
    struct remote_engine *e, const char *what, bool (*reads)(struct remote_engine *e, const ei_x_buff *x, int index))
{
	struct why why;
	ei_x_buff reply;
	int index;
	if (e->lost[0])
		return;
	ei_x_new(&reply);
	if (!node_command(e->node, what, &reply, &index, &why))
		remote_lose(e, why.text);
	else if (!reads(e, &reply, index))
		lose_answer(e);
	else
		e->last_status = mono_ms(); /* an answer that took long is not old */
	ei_x_free(&reply);
}

void
remote_ask_status(struct remote_engine *e)
{
	ask_for(e, "status", read_status);
}

/* What waits for the next snap must not grow with each answer. */
static void
fold(struct remote_engine *e)
{
	struct sbuf b = {.at = e->aggs, .len = e->naggs, .cap = e->naggs};
	wire_fold(&b, &e->folded, e->obj);
	e->aggs = b.at;
	e->naggs = b.len;
}

/* A node whose tables are read this many times in each aggrate keeps less than the consumer reads at once. A longer
 * aggrate is longer here, too, up to a limit: each answer has every key that has changed. */
enum { SNAPS = 20, RAREST_MS = 3000 };

static bool
is_time_to_snap(const struct remote_engine *e)
{
	uint64_t pause = e->conf.aggrate / SNAPS / 1000000;
	return mono_ms() - e->last_snap >= (pause < RAREST_MS ? pause : RAREST_MS);
}

void
remote_work(struct remote_engine *e, bool snapshot)
{
	if (e->merges || (!snapshot && !is_time_to_snap(e)))
		ask_for(e, "records", read_records);
	else {
		ask_for(e, "work", read_work);
		e->last_snap = e->last_status;
		fold(e);
	}
	e->last_work = e->last_status;
}
