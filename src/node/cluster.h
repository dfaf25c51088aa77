/*
 * Several nodes, traced together. Each has its own connection and its own thread, because a request to a node waits for
 * the answer: a node that is slow, stopped or cut off must not hold up the others.
 *
 * The handle's thread gives jobs to the threads (cluster_run) and touches a peer only while that has no job. If a
 * peer does not answer in time, it keeps its job and the others go on. At the end it is given up.
 *
 * To the rest of the program this is one engine, engine_cluster (cluster_engine.c), so records and aggregations of all
 * nodes meet in one consumer.
 */
#ifndef ET_NODE_CLUSTER_H
#define ET_NODE_CLUSTER_H

#include "base/arena.h"
#include "base/sbuf.h"
#include "base/strmap.h"
#include "node/node.h"

#include <pthread.h>

struct peer;
typedef void peer_job(struct peer *p, void *arg);

/* One of the nodes. */
struct peer {
	struct cluster *c;
	const char *name; /* as the user gave it */
	struct nodelink *link;
	char provider[32]; /* erlang<pid>, as its probes are called there */
	int64_t ahead;     /* ns that its clock is ahead of ours */

	pthread_t thread;
	bool has_thread;
	pthread_cond_t begin;
	/* under the cluster's lock */
	peer_job *job; /* NULL if it has none */
	void *arg;
	uint64_t since; /* ms: when it got the job */
	bool quit;
	atomic_bool given_up; /* requests fail at once */

	/* The thread's while it has a job, otherwise the handle's. */
	bool ok;
	struct why why;
	struct engine *e; /* of engine_node */
	struct eng_status status;
	struct sbuf records, aggs; /* node/wire.h */
	uint64_t asked;            /* ns: it had sent all records until then */
	struct sbuf pids, text;    /* what a job looks for, and what it has found */
	uint32_t *frames;          /* by the node's number of a function: the cluster's, plus one */
	size_t nframes;
	uint32_t *epids; /* by the node's epid: the first peer's */
	uint32_t nepids;

	/* The handle's. */
	bool done;               /* got the job of cluster_run() */
	bool was_silent;         /* before it */
	struct eng_status known; /* its status when it last had no job */
	uint64_t complete;       /* `asked` of the records that were handed out */
	bool told_lost, told_ended, told_silent;
	bool *fired; /* by probe */
};

struct cluster {
	struct peer *peers;
	unsigned n;
	pthread_mutex_t lock;
	pthread_cond_t finished;
	const char *cookie, *dir;
	const atomic_bool *stop; /* attaching ends when this is set */

	/* Functions of stacks, under the lock. */
	struct arena ar;
	struct strmap functions; /* text → number, plus one */
	char frame[1300];        /* the last result of cluster_symbol() */

	/* of the engine */
	const struct dobj *obj;
	bool has_frames;
	unsigned source;   /* whose record or value is being handed out */
	unsigned first;    /* peer that called exit() first; n if none did */
	uint64_t gathered; /* ms */
	bool going;
	struct sbuf notes;
	unsigned nprobes;
};

struct cluster_conf {
	const char *const *names;
	unsigned n;
	const char *cookie, *dir; /* as in node_conf */
	const atomic_bool *stop;
};

/* Attaches to all nodes, or to none. Returns NULL on failure. */
struct cluster *cluster_attach(const struct cluster_conf *conf, struct why *why);
void cluster_close(struct cluster *c);

enum { CLUSTER_END_MS = 10000, CLUSTER_START_MS = 60000 };
/* Has all peers do a job. Waits until they have, but gives those up that take longer than ms. */
void cluster_run(struct cluster *c, peer_job *job, void *arg, unsigned ms);
/* The same for those that have no job now, without giving up: after ms it returns, and they go on. The job has no
 * argument, because it may end later than this. */
void cluster_try(struct cluster *c, peer_job *job, unsigned ms);
/* The same for one that has no job now. Returns whether it has finished. */
bool peer_try(struct peer *p, peer_job *job, unsigned ms);
/* Returns whether it has no job. */
bool peer_is_idle(struct peer *p);
/* Returns how long it has been at its job, in ms; 0 if it has none. */
uint64_t peer_is_late(struct peer *p);
/* Returns the peer whose job failed, with the reason, or NULL. */
struct peer *cluster_failed(struct cluster *c, struct why *why);

/* As node_functions(), of all nodes: a function of several is told several times. */
bool cluster_functions(struct cluster *c, const char *module, const char *function,
    bool (*fn)(void *arg, const char *module, const char *function), void *arg, struct why *why);
/* As node_symbol(), for frames that went through peer_frame(). */
const char *cluster_symbol(struct cluster *c, uint64_t addr);
/* In the peer's thread: each node numbers its functions itself. Returns the frame with the cluster's number. */
uint64_t peer_frame(struct peer *p, uint64_t addr);

/* eng_conf.link is the struct cluster. */
extern const struct engine_ops engine_cluster;

#endif
