/*
 * The engine inside a node, seen from outside: engine_ops over requests to the agent (protocol.h). The object, the
 * bindings and the commands go there. Records and aggregations come back as bytes (wire.h), both with each request
 * "work".
 *
 * If the connection is lost, the status says so (eng_status.lost), and everything else does nothing, except END, which
 * then runs here (orphan.h). On the same machine, what the node had gathered but not sent is read from its memory
 * (memory.h).
 */
#include "base/clock.h"
#include "object/narrow.h"
#include "node/memory.h"
#include "node/node.h"
#include "node/orphan.h"
#include "node/term.h"
#include "node/wire.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

enum { STATUS_MS = 20, DYING_MS = 2000 };

struct binding {
	uint32_t id;
	const char *names[4];
	unsigned clause;
};

struct remote_engine {
	struct nodelink *node;
	const struct dobj *obj;
	struct eng_conf conf;
	struct orphan *orphan; /* NULL if END has not run here */
	struct memory memory;  /* of the engine in the node; its image is NULL if it is not available … */
	struct why apart;      /* … and why */
	uint64_t drains;       /* the number of the last one that arrived; snapshots: nodelink.taken */
	bool merges;           /* snapshots are asked for elsewhere */
	bool part[2];          /* of the last snapshot and drain: they are not whole */
	struct binding *bindings;
	unsigned nbindings;
	uint32_t *ids;    /* by index: the probe's id */
	unsigned *remote; /* by index: the index in the node */
	unsigned nprobes;
	struct eng_epid *epids; /* by epid - 1 */
	unsigned nepids;
	struct eng_status status;
	char *records, *aggs; /* received, not delivered yet */
	size_t nrecords, naggs;
	bool going;                      /* between start and stop */
	uint64_t last_status, last_work; /* ms: when each last came */
	enum image_end end;              /* how far END had come there when the connection was lost */
	char lost[1024], ended[1024];
	unsigned char *fired; /* by index in the node, once somebody has asked */
	size_t nfired;
	char cut[1024]; /* why the connection was lost, without what became of the rest */
	char *notes;
	struct node_places places; /* if it forwards */
};

/* What `struct engine` of engine.h is here. */
static inline struct remote_engine *
remote_of(const struct engine *e)
{
	return (struct remote_engine *)(uintptr_t)e;
}

struct keeping {
	struct remote_engine *e;
	struct sbuf out;
};

static void
destroy(struct engine *engine)
{
	struct remote_engine *e = remote_of(engine);
	if (!e)
		return;
	free(e->bindings);
	free(e->ids);
	free(e->remote);
	free(e->epids);
	free(e->records);
	free(e->aggs);
	free(e->notes);
	free(e->fired);
	orphan_free(e->orphan);
	memory_close(&e->memory);
	free(e);
}

/* -- when the node is gone -------------------------------------------------------------------------------------------
 */

static void
keep_record(void *arg, unsigned shard, const struct eng_rec *r, uint32_t len)
{
	struct remote_engine *e = ((struct keeping *)arg)->e;
	uint32_t size = r->epid >= 1 && r->epid <= e->nepids ? e->obj->groups[e->epids[r->epid - 1].group].recsize : 0;
	if (r->fault >= 0 || size <= len)
		wire_add_rec(&((struct keeping *)arg)->out, shard, r, size);
}

static void
keep_agg(void *arg, unsigned agg, const void *key, size_t keylen, const uint64_t *words)
{
	struct keeping *k = arg;
	wire_add_agg(&k->out, agg, key, keylen, words, dobj_agg_words(&k->e->obj->aggs[ENG_AGG_OF(agg)]));
}

/* Adds to what has been received. */
static void
keep(struct keeping *k, char **at, size_t *n)
{
	char *grown = k->out.failed || !k->out.len ? NULL : realloc(*at, *n + k->out.len);
	if (grown) {
		memcpy(grown + *n, k->out.at, k->out.len);
		*at = grown;
		*n += k->out.len;
	}
	sb_free(&k->out);
	k->out = (struct sbuf){0};
}

static void
tell_loss(struct remote_engine *e)
{
	uint64_t torn = e->memory.image ? image_torn(e->memory.image) : 0;
	const char *end = e->end == IMAGE_END_BEGUN ? "; it was about to run END, which has done only a part" : "";
	if (!e->memory.image)
		snprintf(e->lost, sizeof e->lost,
		    "%.600s; what it gathered since it was last asked is lost with it: %.256s", e->cut, e->apart.text);
	else if (!torn)
		snprintf(e->lost, sizeof e->lost, "%.600s; its last state was read from its memory%s", e->cut, end);
	else
		snprintf(e->lost, sizeof e->lost,
		    "%.600s; its last state was read from its memory, without %llu entries that were half written%s",
		    e->cut, (unsigned long long)torn, end);
}

/* Locks and unlocks what others may look at, too. */
static void
hold_taken(struct nodelink *n, bool hold)
{
	if (n->taken.lock && hold)
		pthread_mutex_lock(n->taken.lock);
	else if (n->taken.lock)
		pthread_mutex_unlock(n->taken.lock);
}

/* From now on snapshots that come through another node are refused. Returns the number of the last that came. */
static uint64_t
close_taken(struct nodelink *n)
{
	hold_taken(n, true);
	uint64_t snaps = n->taken.snaps;
	n->taken.closed = true;
	hold_taken(n, false);
	return snaps;
}

/* The first reason is the true one. */
static void
lose(struct remote_engine *e, const char *why)
{
	struct keeping k = {.e = e};
	if (e->lost[0])
		return;
	snprintf(e->cut, sizeof e->cut, "%s", why);
	uint64_t snaps = close_taken(e->node);
	if (e->memory.image && e->epids) {
		memory_wait(&e->memory, DYING_MS);
		e->end = image_end(e->memory.image);
		image_records(e->memory.image, e->drains, keep_record, &k);
		keep(&k, &e->records, &e->nrecords);
		image_aggs(e->memory.image, snaps, keep_agg, &k);
		keep(&k, &e->aggs, &e->naggs);
		image_status(e->memory.image, &e->status);
	}
	tell_loss(e);
}

/* Sends a request. If it fails because the connection ended, that is remembered. */
static bool
ask(struct remote_engine *e, const ei_x_buff *request, ei_x_buff *reply, int *index, struct why *why)
{
	bool ok = node_request(e->node, request, reply, index, why);
	if (!ok && e->node->fd < 0)
		lose(e, why->text);
	return ok;
}

static bool
command(struct remote_engine *e, const char *atom, struct why *why)
{
	ei_x_buff request, reply;
	int index;
	ei_x_new(&request);
	ei_x_new(&reply);
	ei_x_encode_atom(&request, atom);
	bool ok = ask(e, &request, &reply, &index, why);
	ei_x_free(&request);
	ei_x_free(&reply);
	return ok;
}

/* Conf. */
static void
encode_conf(ei_x_buff *x, const struct eng_conf *c)
{
	ei_x_encode_map_header(x, NODE_NCONF);
#define X(name, field, least, most) \
	ei_x_encode_atom(x, #name); \
	ei_x_encode_ulonglong(x, (uint64_t)c->field);
	NODE_CONF(X)
#undef X
}

/* Returns the first field that the node would refuse, or NODE_NCONF if it accepts all. */
static enum node_conf_field
first_refused(const struct eng_conf *c)
{
	const struct {
		uint64_t value, least, most;
	} fields[] = {
#define X(name, field, least, most) {(uint64_t)c->field, least, most},
	    NODE_CONF(X)
#undef X
	};
	unsigned i = 0;
	while (i < NODE_NCONF && fields[i].value >= fields[i].least && fields[i].value <= fields[i].most)
		i++;
	return (enum node_conf_field)i;
}

/* The engine inside the VM is the same, but its memory and its time are the VM's. */
static bool
check_conf(const struct eng_conf *c, struct why *why)
{
	switch (first_refused(c)) {
	case NODE_NCONF:
		return true;
	case NODE_CONF_maxfire:
		why_set(why, "maxfire is more than a second: in a node it can be up to 1s");
		return false;
	case NODE_CONF_termbytes:
		why_set(why, "termbytes is %llu: it can be %d to %d (1m)", (unsigned long long)c->termbytes,
		    ENG_TERMBYTES_LEAST, ENG_TERMBYTES_MOST);
		return false;
	case NODE_CONF_termparts:
		why_set(why, "termparts is %llu: it can be %d to %d", (unsigned long long)c->termparts,
		    ENG_TERMPARTS_LEAST, ENG_TERMPARTS_MOST);
		return false;
	case NODE_CONF_strsize:
		why_set(why, "strsize is %u: in a node it can be 8 to 65536", c->sizes.strsize - 1);
		return false;
	default:
		why_set(why, "sizes of buffers in a node are below 4g");
		return false;
	}
}

/* A child of the node ends with it, so it has no use for its memory. */
static bool
want_memory(struct remote_engine *e)
{
	if (e->node->way || e->conf.forward ||
	    getrandom(e->conf.nonce, sizeof e->conf.nonce, GRND_NONBLOCK) != sizeof e->conf.nonce) {
		why_set(&e->apart, "its memory was not asked for");
		return false;
	}
	return true;
}

/* {ok, What}: moves *index to What. */
static bool
read_ok(const ei_x_buff *x, int *index)
{
	char tag[MAXATOMLEN];
	int arity;
	return !ei_decode_tuple_header(x->buff, index, &arity) && arity == 2 && !ei_decode_atom(x->buff, index, tag) &&
	       strcmp(tag, "ok") == 0;
}

/* A field that is a number from 0 on. */
static bool
read_count(const ei_x_buff *x, int map, const char *name, uint64_t *n)
{
	unsigned long long v;
	int index;
	if (!term_field(x, map, name, &index) || ei_decode_ulonglong(x->buff, &index, &v))
		return false;
	*n = v;
	return true;
}

static void
map_memory(struct remote_engine *e, const ei_x_buff *x, int index)
{
	long fd = -1;
	why_set(&e->apart, "its memory is not known");
	if (read_ok(x, &index) && term_field(x, index, "memory", &index) && !ei_decode_long(x->buff, &index, &fd) &&
	    fd < INT32_MAX)
		memory_open(&e->memory, e->node->os_pid, (int)fd, e->obj, &e->conf, &e->apart);
}

static void
read_places(struct remote_engine *e, const ei_x_buff *x, int index)
{
	if (!read_ok(x, &index) || !term_field(x, index, "places", &index) ||
	    !read_count(x, index, "site", &e->places.site) || !read_count(x, index, "key", &e->places.key) ||
	    !read_count(x, index, "threads", &e->places.threads) || !read_count(x, index, "name", &e->places.name) ||
	    !read_count(x, index, "socket", &e->places.socket))
		e->places.site = 0;
}

bool
node_places(const struct engine *engine, struct node_places *p)
{
	*p = remote_of(engine)->places;
	return p->site != 0;
}

void
node_merges(struct engine *engine)
{
	struct remote_engine *e = remote_of(engine);
	e->merges = true;
	e->part[false] = false;
}

bool
node_ask_engine(struct engine *engine, const ei_x_buff *request, ei_x_buff *reply, int *index, struct why *why)
{
	return ask(remote_of(engine), request, reply, index, why);
}

uint32_t
node_number(const struct engine *engine, unsigned probe)
{
	const struct remote_engine *e = remote_of(engine);
	return probe < e->nprobes ? e->remote[probe] : UINT32_MAX - 1;
}

static struct engine *
create(const struct dobj *o, const struct eng_conf *c, struct why *why)
{
	if (!check_conf(c, why))
		return NULL;
	void *bytes = NULL;
	size_t len;
	struct remote_engine *e = calloc(1, sizeof *e);
	if (!e || !dobj_write(o, &bytes, &len)) {
		why_set(why, "out of memory");
		free(e);
		return NULL;
	}
	e->node = c->link;
	e->obj = o;
	e->conf = *c;
	e->memory.pidfd = -1;
	e->node->taken.snaps = 0;
	e->node->taken.closed = false;
	ei_x_buff request, reply;
	int index;
	ei_x_new(&request);
	ei_x_new(&reply);
	ei_x_encode_tuple_header(&request, 2);
	ei_x_encode_atom(&request, "open");
	ei_x_encode_map_header(&request, 4);
	ei_x_encode_atom(&request, "protocol");
	ei_x_encode_long(&request, NODE_PROTOCOL);
	ei_x_encode_atom(&request, "object");
	ei_x_encode_binary(&request, bytes, (int)len);
	ei_x_encode_atom(&request, "conf");
	encode_conf(&request, c);
	bool shared = want_memory(e);
	ei_x_encode_atom(&request, "nonce");
	ei_x_encode_binary(&request, e->conf.nonce, shared ? (int)sizeof e->conf.nonce : 0);
	bool ok = ask(e, &request, &reply, &index, why);
	if (ok && shared)
		map_memory(e, &reply, index);
	if (ok && c->forward)
		read_places(e, &reply, index);
	ei_x_free(&request);
	ei_x_free(&reply);
	free(bytes);
	if (!ok) {
		destroy((struct engine *)e);
		return NULL;
	}
	return (struct engine *)e;
}

static int
bind_probe(struct engine *engine, uint32_t id, const char *const names[4], unsigned clause)
{
	struct remote_engine *e = remote_of(engine);
	unsigned at = 0;
	while (at < e->nprobes && e->ids[at] != id)
		at++;
	if (at == e->nprobes) {
		uint32_t *ids = realloc(e->ids, (at + 1) * sizeof *ids);
		if (!ids)
			return -1;
		e->ids = ids;
		e->ids[e->nprobes++] = id;
	}
	struct binding *grown = realloc(e->bindings, (e->nbindings + 1) * sizeof *grown);
	if (!grown)
		return -1;
	e->bindings = grown;
	e->bindings[e->nbindings++] = (struct binding){id, {names[0], names[1], names[2], names[3]}, clause};
	return (int)at;
}

/* [{Argument, [Text]}]: what the clause's predicate says of its arguments. */
static void
encode_facts(ei_x_buff *x, const struct dobj *o, unsigned clause)
{
	struct narrow facts;
	bool known = narrow_clause(o, clause, &facts);
	for (unsigned i = 0; known && i < NARROW_ARGS; i++) {
		const struct narrow_set *s = &facts.arg[i];
		if (s->any)
			continue;
		ei_x_encode_list_header(x, 1);
		ei_x_encode_tuple_header(x, 2);
		ei_x_encode_ulong(x, i);
		for (unsigned k = 0; k < s->n; k++) {
			const char *text = dobj_str(o, s->strs[k]);
			ei_x_encode_list_header(x, 1);
			ei_x_encode_binary(x, text, (int)strlen(text));
		}
		ei_x_encode_empty_list(x);
	}
	ei_x_encode_empty_list(x);
}

static void
encode_binding(ei_x_buff *x, const struct dobj *o, const struct binding *b)
{
	ei_x_encode_map_header(x, 4);
	ei_x_encode_atom(x, "id");
	ei_x_encode_ulong(x, b->id);
	ei_x_encode_atom(x, "probe");
	ei_x_encode_tuple_header(x, 4);
	for (int k = 0; k < 4; k++)
		ei_x_encode_binary(x, b->names[k], (int)strlen(b->names[k]));
	ei_x_encode_atom(x, "clause");
	ei_x_encode_ulong(x, b->clause);
	ei_x_encode_atom(x, "facts");
	encode_facts(x, o, b->clause);
}

static bool
send_bindings(struct remote_engine *e, struct why *why)
{
	ei_x_buff request, reply;
	int index;
	ei_x_new(&request);
	ei_x_new(&reply);
	ei_x_encode_tuple_header(&request, 2);
	ei_x_encode_atom(&request, "bind");
	for (unsigned i = 0; i < e->nbindings; i++) {
		ei_x_encode_list_header(&request, 1);
		encode_binding(&request, e->obj, &e->bindings[i]);
	}
	ei_x_encode_empty_list(&request);
	bool ok = ask(e, &request, &reply, &index, why);
	/* small numbers may come as a string */
	e->remote = calloc(e->nprobes + 1, sizeof *e->remote);
	ok = ok && e->remote && read_ok(&reply, &index);
	if (ok) {
		int type, size;
		ei_get_type(reply.buff, &index, &type, &size);
		char *text = type == ERL_STRING_EXT ? calloc(1, (size_t)size + 1) : NULL;
		if (type == ERL_STRING_EXT)
			ok = text && !ei_decode_string(reply.buff, &index, text);
		else
			ok = !ei_decode_list_header(reply.buff, &index, &size);
		ok = ok && (unsigned)size == e->nbindings;
		for (unsigned i = 0; ok && i < e->nbindings; i++) {
			unsigned long at = 0;
			if (text)
				at = (unsigned char)text[i];
			else
				ok = !ei_decode_ulong(reply.buff, &index, &at);
			for (unsigned k = 0; k < e->nprobes; k++)
				if (e->ids[k] == e->bindings[i].id)
					e->remote[k] = (unsigned)at;
		}
		free(text);
		if (!ok)
			why_set(why, "the node's answer makes no sense");
	}
	ei_x_free(&request);
	ei_x_free(&reply);
	return ok;
}

/* {ok, [Epid]} */
static bool
read_epids(struct remote_engine *e, const ei_x_buff *x, int index)
{
	int n;
	if (!read_ok(x, &index) || ei_decode_list_header(x->buff, &index, &n) || n < 0)
		return false;
	e->epids = calloc((size_t)n + 1, sizeof *e->epids);
	e->nepids = (unsigned)n;
	for (int i = 0; e->epids && i < n; i++) {
		uint64_t epid, probe, clause, group;
		if (!read_count(x, index, "epid", &epid) || !read_count(x, index, "probe", &probe) ||
		    !read_count(x, index, "clause", &clause) || !read_count(x, index, "group", &group) ||
		    !term_skip(x, &index))
			return false;
		if (epid < 1 || epid > (unsigned)n || clause >= e->obj->nclauses || group >= e->obj->ngroups)
			return false;
		unsigned local = 0;
		while (local < e->nprobes && e->remote[local] != probe)
			local++;
		if (local == e->nprobes)
			return false;
		e->epids[epid - 1] = (struct eng_epid){local, (unsigned)clause, (unsigned)group};
	}
	return e->epids != NULL;
}

static bool
start(struct engine *engine, struct why *why)
{
	struct remote_engine *e = remote_of(engine);
	ei_x_buff reply;
	int index;
	if (!send_bindings(e, why))
		return false;
	ei_x_new(&reply);
	bool ok = node_command(e->node, "start", &reply, &index, why);
	if (ok && !read_epids(e, &reply, index)) {
		why_set(why, "the node's answer makes no sense");
		ok = false;
	}
	ei_x_free(&reply);
	e->going = ok;
	return ok;
}

/* Adds the texts of a list, a line each. */
static void
add_lines(struct sbuf *b, const ei_x_buff *x, int index)
{
	int n;
	if (ei_decode_list_header(x->buff, &index, &n))
		return;
	for (int i = 0; i < n; i++) {
		char *text = term_read_text(x, &index);
		if (!text)
			break;
		sb_printf(b, "%s%s", b->len ? "\n" : "", text);
		free(text);
	}
}

/* {ok, #{notes => [Text], ways => [Text]}} */
static void
read_notes(struct remote_engine *e, const ei_x_buff *x, int index)
{
	struct sbuf b = {0};
	int at;
	if (!read_ok(x, &index))
		return;
	if (term_field(x, index, "notes", &at))
		add_lines(&b, x, at);
	if (e->conf.verbose && term_field(x, index, "ways", &at))
		add_lines(&b, x, at);
	if (e->conf.verbose && !e->memory.image)
		sb_printf(&b, "%snode %s: when it dies, what it gathered since it was last asked is lost with it: %s",
		    b.len ? "\n" : "", e->node->name, e->apart.text);
	if (!b.failed && b.len)
		e->notes = strdup(b.at);
	sb_free(&b);
}

static bool
go(struct engine *engine, struct why *why)
{
	struct remote_engine *e = remote_of(engine);
	ei_x_buff reply;
	int index;
	if (ei_x_new(&reply) < 0) {
		why_set(why, "out of memory");
		return false;
	}
	bool ok = node_command(e->node, "go", &reply, &index, why);
	if (ok)
		read_notes(e, &reply, index);
	ei_x_free(&reply);
	return ok;
}

static bool
is_end(const struct remote_engine *e, unsigned probe)
{
	for (unsigned i = 0; i < e->nbindings; i++)
		if (e->bindings[i].id == e->ids[probe])
			return eng_role_of(e->bindings[i].names[0], e->bindings[i].names[3]) == ROLE_END;
	return false;
}

static void
fire_here(struct remote_engine *e, unsigned probe)
{
	struct orphan *p = orphan_new(e->obj, &e->conf, e->node->name);
	bool ok = p != NULL;
	for (unsigned i = 0; ok && i < e->nbindings; i++)
		ok = orphan_bind(p, e->bindings[i].id, e->bindings[i].names, e->bindings[i].clause);
	if (ok && e->memory.image) {
		orphan_inherit(p, e->memory.image);
		tell_loss(e);
	}
	if (ok && orphan_fire(p, probe))
		e->orphan = p;
	else
		orphan_free(p);
}

static void
fire(struct engine *engine, struct firing *f)
{
	struct remote_engine *e = remote_of(engine);
	struct why why;
	ei_x_buff request, reply;
	int index;
	ei_x_new(&request);
	ei_x_new(&reply);
	ei_x_encode_tuple_header(&request, 2);
	ei_x_encode_atom(&request, "fire");
	ei_x_encode_ulong(&request, e->remote[f->probe]);
	bool ok = ask(e, &request, &reply, &index, &why);
	ei_x_free(&request);
	ei_x_free(&reply);
	/* It may have run there before the node died: then its results were read with the rest. */
	if (!ok && e->lost[0] && !e->orphan && e->end == IMAGE_END_NOT && is_end(e, f->probe))
		fire_here(e, f->probe);
}

static void
stop(struct engine *engine)
{
	struct remote_engine *e = remote_of(engine);
	struct why why;
	e->going = false;
	command(e, "stop", &why);
}

/* -- what comes back ------------------------------------------------------------------------------------------------
 */

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
read_flag(const ei_x_buff *x, int map, const char *name, bool *b)
{
	int v, index;
	if (!term_field(x, map, name, &index) || ei_decode_boolean(x->buff, &index, &v))
		return false;
	*b = v;
	return true;
}

static bool
read_number(const ei_x_buff *x, int map, const char *name, int *n)
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
#define X(id, text) read_count(x, map, #id, &drops[ENG_DROP_##id]);
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
	if (!read_##kind(x, map, #name, &st.name)) \
		return false;
	NODE_STATUS(X)
#undef X
	if (!term_field(x, map, "drops", &drops) || !read_ended(e, x, map))
		return false;
	read_drops(x, drops, st.drops);
	read_count(x, map, "nodes", &st.nodes);
	e->status = st;
	return true;
}

/* An answer that makes no sense comes from an agent that has ended the script. */
static void
lose_answer(struct remote_engine *e)
{
	struct why why;
	why_set(&why, "node %s: tracing was ended there", e->node->name);
	lose(e, why.text);
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
	hold_taken(e->node, true);
	e->node->taken.snaps = snaps;
	hold_taken(e->node, false);
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
		lose(e, why.text);
	else if (!reads(e, &reply, index))
		lose_answer(e);
	else
		e->last_status = mono_ms(); /* an answer that took long is not old */
	ei_x_free(&reply);
}

static void
work(struct remote_engine *e)
{
	if (e->merges)
		ask_for(e, "records", read_records);
	else
		ask_for(e, "work", read_work);
	e->last_work = e->last_status;
}

/* The node's buffers are smaller than the memory here, so what waits there is fetched between two drains. */
static void
fetch(struct engine *engine)
{
	struct remote_engine *e = remote_of(engine);
	if (e->going && mono_ms() - e->last_work >= STATUS_MS)
		work(e);
}

static void
drain(struct engine *engine, void (*fn)(void *arg, unsigned shard, const struct eng_rec *r), void *arg)
{
	struct remote_engine *e = remote_of(engine);
	struct eng_rec r;
	uint32_t len;
	unsigned shard;
	work(e);
	struct wire_in in = {.at = e->records, .left = e->nrecords};
	while (wire_next_rec(&in, &shard, &r, &len))
		if (r.epid >= 1 && r.epid <= e->nepids &&
		    (r.fault >= 0 || len == e->obj->groups[e->epids[r.epid - 1].group].recsize))
			fn(arg, shard, &r);
	e->nrecords = 0;
	if (e->orphan)
		orphan_drain(e->orphan, e->epids, e->nepids, fn, arg);
}

static void
snap(struct engine *engine, void (*fn)(void *arg, unsigned agg, const void *key, size_t keylen, const uint64_t *words),
    void *arg)
{
	struct remote_engine *e = remote_of(engine);
	struct wire_agg a;
	const void *key;
	const uint64_t *words;
	if (!e->merges)
		work(e);
	struct wire_in in = {.at = e->aggs, .left = e->naggs};
	while (wire_next_agg(&in, &a, &key, &words))
		if (ENG_AGG_OF(a.agg) < e->obj->naggs && a.nwords == dobj_agg_words(&e->obj->aggs[ENG_AGG_OF(a.agg)]))
			fn(arg, a.agg, key, a.keylen, words);
	wire_done(&in);
	e->naggs = 0;
	if (e->orphan)
		orphan_snap(e->orphan, fn, arg);
}

static bool
is_whole(struct engine *engine, bool records)
{
	const struct remote_engine *e = remote_of(engine);
	return e->lost[0] || !e->part[records];
}

/* Asked for often, so that exit() is noticed soon. The node is asked only if what is known is old. */
static void
status(struct engine *engine, struct eng_status *s)
{
	struct remote_engine *e = remote_of(engine);
	if (e->going && mono_ms() - e->last_status >= STATUS_MS)
		ask_for(e, "status", read_status);
	*s = e->status;
	if (e->lost[0])
		s->lost = e->lost;
	if (e->ended[0])
		s->ended = e->ended;
	s->notes = e->notes;
}

static void
nothing_for_thread(struct engine *engine, uint64_t thread)
{
	(void)engine; /* the tracer in the node sees its processes end */
	(void)thread;
}

static void
nothing_to_clean(struct engine *engine)
{
	(void)engine; /* the node does it with each "work" */
}

static const struct eng_epid *
epid(struct engine *engine, uint32_t id)
{
	struct remote_engine *e = remote_of(engine);
	return id >= 1 && id <= e->nepids ? &e->epids[id - 1] : NULL;
}

static void
names(struct engine *engine, unsigned source, const char *const *pids, unsigned n,
    void (*fn)(void *arg, unsigned i, const char *name), void *arg)
{
	struct remote_engine *e = remote_of(engine);
	(void)source;
	if (!e->lost[0])
		node_names(e->node, pids, n, fn, arg);
}

/* One byte for each probe. A probe that the node does not report counts as fired, so that nothing is said about it. */
static bool
fired(struct engine *engine, unsigned probe)
{
	struct remote_engine *e = remote_of(engine);
	struct why why;
	ei_x_buff reply;
	int index, type, size;
	long len;
	if (!e->fired && !e->lost[0] && ei_x_new(&reply) == 0) {
		bool ok = node_command(e->node, "fired", &reply, &index, &why) &&
			  !ei_get_type(reply.buff, &index, &type, &size) && type == ERL_BINARY_EXT && size >= 0 &&
			  (e->fired = calloc(1, (size_t)size + 1)) &&
			  !ei_decode_binary(reply.buff, &index, e->fired, &len);
		e->nfired = ok ? (size_t)len : 0;
		ei_x_free(&reply);
	}
	return probe >= e->nprobes || e->remote[probe] >= e->nfired || e->fired[e->remote[probe]];
}

static void
alive(struct engine *engine)
{
	struct remote_engine *e = remote_of(engine);
	struct why why;
	if (!e->lost[0])
		command(e, "alive", &why);
}

const struct engine_ops engine_node = {
    .name = "node",
    .create = create,
    .bind = bind_probe,
    .start = start,
    .go = go,
    .fire = fire,
    .stop = stop,
    .drain = drain,
    .snap = snap,
    .is_whole = is_whole,
    .fetch = fetch,
    .status = status,
    .thread_exit = nothing_for_thread,
    .clean = nothing_to_clean,
    .epid = epid,
    .names = names,
    .fired = fired,
    .alive = alive,
    .destroy = destroy,
};
