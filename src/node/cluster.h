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

/* What a node said about its clock. */
struct clock_answer {
	uint64_t at;   /* ns, our clock: when the answer came */
	int64_t ahead; /* ns */
	uint64_t half; /* ns: of the time that it took */
};
enum { CLOCK_ANSWERS = 16 };

/* One of the nodes. */
struct peer {
	struct cluster *c;
	char name[512]; /* as the user gave it, or as another node calls it */
	struct nodelink *link;
	char provider[32]; /* erlang<pid>, as its probes are called there */
	/* Its thread changes these under the cluster's lock. */
	int64_t ahead;   /* ns that its clock is ahead of ours … */
	uint64_t within; /* … and how wrong that can be; 0 if it is our clock */
	/* its thread's */
	struct clock_answer clocks[CLOCK_ANSWERS];
	unsigned nclocks;
	uint64_t clock_asked; /* ns */

	pthread_t thread;
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
	size_t folded;             /* of aggs (wire_fold) */
	uint64_t asked;            /* ns: it had sent all records until then */
	bool part[2];              /* engine_ops.is_whole: what it sent last was not all */
	struct sbuf pids, text;    /* what a job looks for, and what it has found */
	uint32_t *frames;          /* by the node's number of a function: the cluster's, plus one */
	size_t nframes;
	uint32_t *epids; /* by the node's epid: the first peer's */
	uint32_t nepids;
	struct sbuf nodes;       /* the names of those that it knew when it was last asked */
	uint64_t watched;        /* eng_status.nodes then */
	struct merge_plan *plan; /* whose snapshots it brings; NULL if another node brings its own */

	/* The handle's. */
	bool done;               /* got the job of cluster_run() */
	bool was_silent;         /* before it */
	struct eng_status known; /* its status when it last had no job */
	uint64_t complete;       /* `asked` of the records that were handed out */
	bool told_lost, told_ended, told_silent;
	bool rests;   /* cluster_try() gives it no job */
	bool wants;   /* its snapshot is wanted; changed only while it has no job */
	bool merges;  /* its snapshots may come through others; changed only while it has no job */
	bool watches; /* it is asked which nodes it knows; changed only while it has no job */
	bool *fired;  /* by probe */

	/* Under the lock (merge.c). */
	uint64_t claimed; /* ms: until then another peer may bring its snapshot */
	bool missed;      /* it could not be reached through another one the last time */
};

struct joining; /* join.c */

/* Which nodes that appear later are traced too. */
enum cluster_join { JOIN_NONE, JOIN_VISIBLE, JOIN_HIDDEN };

/* A clause that was bound to a probe, for nodes that join. */
struct cluster_binding {
	uint32_t id;
	const char *names[4];
	unsigned clause;
};

struct cluster {
	struct peer **peers;
	unsigned n;
	pthread_mutex_t lock;
	pthread_cond_t finished;
	const struct tunnel *tunnel;
	char *cookie, *dir;      /* or NULL */
	bool attaching;          /* a peer that fails ends it for all */
	const atomic_bool *stop; /* what takes long ends when this is set; or NULL */

	/* Functions of stacks, under the lock. */
	struct arena ar;
	struct strmap functions; /* text → number, plus one */
	char frame[1300];        /* the last result of cluster_symbol() */

	/* of the engine */
	const struct dobj *obj;
	struct eng_conf conf;
	struct cluster_binding *bindings;
	unsigned nbindings;
	int begin; /* index of BEGIN, or -1 */
	bool has_frames;
	unsigned source;          /* whose record or value is being handed out */
	unsigned first;           /* peer that called exit() first; UINT_MAX if none did */
	uint64_t gathered, pause; /* ms: when, and how long until the next time */
	bool going;
	struct sbuf notes;
	unsigned nprobes;

	/* Snapshots that are merged on the way (merge.c). */
	bool may_merge, merges;   /* the script allows it; it has begun */
	bool quiet;               /* only BEGIN and END leave records */
	uint64_t merged_at;       /* ms: the last time */
	uint64_t answers, merged; /* under the lock: with snapshots of several nodes, and how many those were */

	enum cluster_join join;
	struct joining *joining; /* NULL unless nodes may join */
};

struct cluster_conf {
	const char *const *names;
	unsigned n;
	const char *cookie, *dir; /* as in node_conf */
	const atomic_bool *stop;
	enum cluster_join join;
	const struct tunnel *tunnel; /* must outlive the cluster */
};

/* Attaches to all nodes, or to none. Returns NULL on failure. */
struct cluster *cluster_attach(const struct cluster_conf *conf, struct why *why);
void cluster_close(struct cluster *c);

enum { CLUSTER_END_MS = 10000, CLUSTER_START_MS = 60000 };
/* Has all peers do a job. Waits until they have, but gives those up that take longer than ms. */
void cluster_run(struct cluster *c, peer_job *job, void *arg, unsigned ms);
/* The same for those that have no job now and do not rest, without giving up: after ms it returns, and they go on. The
 * job has no argument, because it may end later than this. */
void cluster_try(struct cluster *c, peer_job *job, unsigned ms);
/* The same for one that has no job now. Returns whether it has finished. */
bool peer_try(struct peer *p, peer_job *job, unsigned ms);
/* Returns whether it has no job. */
bool peer_is_idle(struct peer *p);
/* Returns how long it has been at its job, in ms; 0 if it has none. */
uint64_t peer_is_late(struct peer *p);
/* Gives a job to one that has none, and does not wait. */
void peer_give(struct peer *p, peer_job *job);
/* Makes a peer with a thread, which is not one of the cluster's yet. Returns NULL if there is no memory. */
struct peer *peer_new(struct cluster *c, const char *name);
/* Adds it to the cluster. Returns false if there is no memory. */
bool cluster_add(struct cluster *c, struct peer *p);
/* Ends its thread when it has no job any more, and frees it. */
void peer_free(struct peer *p);
/* In the peer's thread: connects, and asks for its clock and its own name; attaches. p->ok says whether it could. */
peer_job peer_connect, peer_attach, peer_close;
/* Tells all that have no job now that we are still there. */
void cluster_alive(struct cluster *c);
/* Returns the peer whose job failed, with the reason, or NULL. */
struct peer *cluster_failed(struct cluster *c, struct why *why);

/* As node_functions(), of all nodes: a function of several is told several times. */
bool cluster_functions(struct cluster *c, const char *module, const char *function,
    bool (*fn)(void *arg, const char *module, const char *function), void *arg, struct why *why);
/* As node_symbol(), for frames that went through peer_frame(). */
const char *cluster_symbol(struct cluster *c, uint64_t addr);
/* In the peer's thread: each node numbers its functions itself. Returns the frame with the cluster's number. */
uint64_t peer_frame(struct peer *p, uint64_t addr);

/* In the peer's thread: makes the engine, binds all clauses and starts it. p->ok says whether it could. */
void peer_create(struct peer *p, const struct dobj *o, const struct eng_conf *conf);
int peer_bind(struct peer *p, const struct cluster_binding *b);
bool peer_match_epids(struct peer *p, struct why *why);

/* Clocks (clocks.c), in the peer's thread. Compares its clock with ours, before the agent is there. */
void clock_compare(struct peer *p);
/* While a script runs: asks again if that was some time ago. */
void clock_again(struct peer *p);

/*
 * Nodes that join (join.c). Some of the traced nodes are asked which nodes they know, whenever that has changed
 * (eng_status.nodes). One that is known there but not traced is attached to in a thread of its own, and becomes a peer
 * when it traces. If that fails, it is tried again later, as long as it is known.
 */
struct joining *join_new(void);
/* In the peer's thread, after its status has come: asks for the names if they may have changed. */
void join_ask(struct peer *p);
/* In the handle's thread, while tracing is on, but not while drain or snap hand out: adds peers that are ready and
 * tries those that are missing. */
void join_turn(struct cluster *c);
/* Tracing ends: those that are not ready are given up. */
void join_end(struct cluster *c);
/* Calls fn with what happened since the last time. */
void join_news(struct cluster *c, void (*fn)(void *arg, enum eng_news kind, const char *text), void *arg);
void join_free(struct joining *j);

/*
 * Snapshots that are merged on the way (merge.c). If there are more than eng_conf.mergeabove nodes, a few of them ask
 * the others for their snapshots and send one that has all: so the command merges as much as a few nodes have.
 */
/* In the handle's thread, when everything is bound: whether the script's snapshots can be merged on the way. */
bool merge_is_possible(const struct cluster *c);
/* In the handle's thread, at the begin of a turn. `now`: the snapshots are wanted; otherwise only if it is time.
 * Decides for each peer that has no job whether it brings snapshots, and whose (peer.plan). */
void merge_turn(struct cluster *c, bool now);
/* In the peer's thread: does what its plan says, if it has one. The values are kept in peer.aggs. */
void merge_do(struct peer *p);
/* In the peer's thread, when tracing is over: brings its own. */
void merge_rest(struct peer *p);

/* eng_conf.link is the struct cluster. */
extern const struct engine_ops engine_cluster;

#endif
