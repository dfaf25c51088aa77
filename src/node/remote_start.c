/* Starting the engine inside a node: its memory and limits, the object, the bindings of clauses to probes, and what the
 * node says when tracing is on. */
#include "object/narrow.h"
#include "node/remote.h"
#include "node/term.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

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
	case NODE_CONF_sample:
		why_set(why, "sample is %llu: it can be 1 to %d", (unsigned long long)c->sample, ENG_SAMPLE_MOST);
		return false;
	case NODE_CONF_countpart:
		why_set(
		    why, "countpart is %llu: it can be 1 to %d", (unsigned long long)c->countpart, ENG_COUNTPART_MOST);
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

static void
map_memory(struct remote_engine *e, const ei_x_buff *x, int index)
{
	long fd = -1;
	why_set(&e->apart, "its memory is not known");
	if (remote_read_ok(x, &index) && term_field(x, index, "memory", &index) &&
	    !ei_decode_long(x->buff, &index, &fd) && fd < INT32_MAX)
		memory_open(&e->memory, e->node->os_pid, (int)fd, e->obj, &e->conf, &e->apart);
}

static void
read_places(struct remote_engine *e, const ei_x_buff *x, int index)
{
	if (!remote_read_ok(x, &index) || !term_field(x, index, "places", &index) ||
	    !remote_read_count(x, index, "site", &e->places.site) ||
	    !remote_read_count(x, index, "key", &e->places.key) ||
	    !remote_read_count(x, index, "threads", &e->places.threads) ||
	    !remote_read_count(x, index, "name", &e->places.name) ||
	    !remote_read_count(x, index, "socket", &e->places.socket))
		e->places.site = 0;
}

struct engine *
remote_create(const struct dobj *o, const struct eng_conf *c, struct why *why)
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
	bool ok = remote_ask(e, &request, &reply, &index, why);
	if (ok && shared)
		map_memory(e, &reply, index);
	if (ok && c->forward)
		read_places(e, &reply, index);
	ei_x_free(&request);
	ei_x_free(&reply);
	free(bytes);
	if (!ok) {
		remote_destroy((struct engine *)e);
		return NULL;
	}
	return (struct engine *)e;
}

/* Makes room for a probe's id, twice as much as is needed, because there may be very many. */
static bool
id_room(struct remote_engine *e, uint32_t id)
{
	if (id < e->nids)
		return true;
	size_t room = ((size_t)id + 1) * 2;
	uint32_t *grown = room <= UINT32_MAX ? realloc(e->by_id, room * sizeof *grown) : NULL;
	if (!grown)
		return false;
	memset(grown + e->nids, 0, (room - e->nids) * sizeof *grown);
	e->by_id = grown;
	e->nids = (uint32_t)room;
	return true;
}

int
remote_bind(struct engine *engine, uint32_t id, const char *const names[4], unsigned clause)
{
	struct remote_engine *e = remote_of(engine);
	if (!id_room(e, id))
		return -1;
	struct binding *grown = realloc(e->bindings, (e->nbindings + 1) * sizeof *grown);
	if (!grown)
		return -1;
	e->bindings = grown;
	if (!e->by_id[id])
		e->by_id[id] = ++e->nprobes;
	unsigned at = e->by_id[id] - 1;
	e->bindings[e->nbindings++] = (struct binding){id, {names[0], names[1], names[2], names[3]}, clause, at};
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
	bool ok = remote_ask(e, &request, &reply, &index, why);
	/* small numbers may come as a string */
	e->remote = calloc(e->nprobes + 1, sizeof *e->remote);
	ok = ok && e->remote && remote_read_ok(&reply, &index);
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
			e->remote[e->bindings[i].probe] = (unsigned)at;
		}
		free(text);
		if (!ok)
			why_set(why, "the node's answer makes no sense");
	}
	ei_x_free(&request);
	ei_x_free(&reply);
	return ok;
}

/* Our indexes of probes plus one, by theirs. They number them as they come, so no index is larger than we have. */
static unsigned *
local_indexes(const struct remote_engine *e)
{
	unsigned *local = calloc(e->nprobes + 1, sizeof *local);
	for (unsigned i = 0; local && i < e->nprobes; i++)
		if (e->remote[i] < e->nprobes)
			local[e->remote[i]] = i + 1;
	return local;
}

/* [Epid] */
static bool
read_each_epid(struct remote_engine *e, const ei_x_buff *x, int index, const unsigned *local)
{
	int n;
	if (ei_decode_list_header(x->buff, &index, &n) || n < 0)
		return false;
	e->epids = calloc((size_t)n + 1, sizeof *e->epids);
	e->nepids = (unsigned)n;
	for (int i = 0; e->epids && i < n; i++) {
		uint64_t epid, probe, clause, group;
		if (!remote_read_count(x, index, "epid", &epid) || !remote_read_count(x, index, "probe", &probe) ||
		    !remote_read_count(x, index, "clause", &clause) || !remote_read_count(x, index, "group", &group) ||
		    !term_skip(x, &index))
			return false;
		if (epid < 1 || epid > (unsigned)n || clause >= e->obj->nclauses || group >= e->obj->ngroups)
			return false;
		if (probe >= e->nprobes || !local[probe])
			return false;
		e->epids[epid - 1] = (struct eng_epid){local[probe] - 1, (unsigned)clause, (unsigned)group};
	}
	return e->epids != NULL;
}

/* {ok, [Epid]} */
static bool
read_epids(struct remote_engine *e, const ei_x_buff *x, int index)
{
	unsigned *local = local_indexes(e);
	bool ok = local && remote_read_ok(x, &index) && read_each_epid(e, x, index, local);
	free(local);
	return ok;
}

bool
remote_start(struct engine *engine, struct why *why)
{
	struct remote_engine *e = remote_of(engine);
	ei_x_buff reply;
	int index;
	unsigned timeout = remote_more_time(e);
	bool bound = send_bindings(e, why);
	e->node->timeout = timeout;
	if (!bound)
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
	if (!remote_read_ok(x, &index))
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

bool
remote_go(struct engine *engine, struct why *why)
{
	struct remote_engine *e = remote_of(engine);
	ei_x_buff reply;
	int index;
	if (ei_x_new(&reply) < 0) {
		why_set(why, "out of memory");
		return false;
	}
	unsigned timeout = remote_more_time(e);
	bool ok = node_command(e->node, "go", &reply, &index, why);
	e->node->timeout = timeout;
	if (ok)
		read_notes(e, &reply, index);
	ei_x_free(&reply);
	return ok;
}
