/*
 * The engine inside a node, seen from outside: what the files of it share. remote.c has its operations, remote_start.c
 * sends what it is to run, and remote_read.c reads what comes back.
 */
#ifndef ET_NODE_REMOTE_H
#define ET_NODE_REMOTE_H

#include "node/memory.h"
#include "node/node.h"
#include "node/orphan.h"

struct binding {
	uint32_t id;
	const char *names[4];
	unsigned clause;
	unsigned probe; /* its index */
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
	bool unwanted;         /* node_wants_snap(): snap asks for none */
	bool part[2];          /* of the last snapshot and drain: they are not whole */
	struct binding *bindings;
	unsigned nbindings;
	uint32_t *by_id;  /* index plus one of the probe with an id, or 0 */
	uint32_t nids;    /* that there is room for */
	unsigned *remote; /* by index: the index in the node */
	unsigned nprobes;
	struct eng_epid *epids; /* by epid - 1 */
	unsigned nepids;
	struct eng_status status;
	char *records, *aggs; /* received, not delivered yet */
	size_t nrecords, naggs;
	size_t folded;                              /* naggs when those were last merged (wire_fold) */
	bool going;                                 /* between start and stop */
	uint64_t last_status, last_work, last_snap; /* ms: when each last came */
	enum image_end end;                         /* how far END had come there when the connection was lost */
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

/* remote.c: sends a request. If it fails because the connection ended, that is remembered. */
bool remote_ask(struct remote_engine *e, const ei_x_buff *request, ei_x_buff *reply, int *index, struct why *why);
/* Lets the node have more time for its next answers, because it sets or removes the patterns of each function that a
 * script names; on a busy node very many take a minute or two. Returns what the time was, for n->timeout afterwards. */
unsigned remote_more_time(struct remote_engine *e);
/* The connection is lost. The first reason is the true one. */
void remote_lose(struct remote_engine *e, const char *why);
/* Locks and unlocks the number of snapshots, which others may look at, too. */
void remote_hold_taken(struct nodelink *n, bool hold);
void remote_destroy(struct engine *engine);

/* remote_start.c: operations of the engine */
struct engine *remote_create(const struct dobj *o, const struct eng_conf *c, struct why *why);
int remote_bind(struct engine *engine, uint32_t id, const char *const names[4], unsigned clause);
bool remote_start(struct engine *engine, struct why *why);
bool remote_go(struct engine *engine, struct why *why);

/* remote_read.c: asks for the status, or also for the records. With them come the aggregations if those are wanted, or
 * if it is time to make room for others in the node. */
void remote_ask_status(struct remote_engine *e);
void remote_work(struct remote_engine *e, bool snapshot);
/* {ok, What}: moves *index to What. */
bool remote_read_ok(const ei_x_buff *x, int *index);
/* A field that is a number from 0 on. */
bool remote_read_count(const ei_x_buff *x, int map, const char *name, uint64_t *n);

#endif
