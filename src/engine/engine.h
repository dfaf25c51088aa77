/*
 * An engine runs D objects. This is all that the rest of the program knows about one.
 *
 * Life: create (memory is fixed from here on) → bind probes to clauses → start → fire, drain, snapshot → stop →
 * destroy. Many threads may call fire at once. One consumer thread at a time calls drain, snap and status, also while
 * threads fire. bind only before start.
 *
 * A firing names its shard: buffers, scratch and aggregations are per shard. Two threads may share a shard (a lock
 * keeps them apart), but are fastest with one each.
 */
#ifndef ET_ENGINE_ENGINE_H
#define ET_ENGINE_ENGINE_H

#include "object/builtin.h"
#include "object/dobj.h"
#include "object/subr.h"

#include <stdatomic.h>
#include <string.h>

enum eng_bufpolicy { BUF_SWITCH, BUF_RING, BUF_FILL };
enum { ENG_RECORD_HEADER = 24 }; /* bytes of a record in a buffer in addition to its data */
#define ENG_MAXFIRE 10000000u    /* ns */
/* How much of its terms one event may look at. The largest values take some milliseconds. */
enum {
	ENG_TERMBYTES_LEAST = 256,
	ENG_TERMBYTES_MOST = 1 << 20,
	ENG_TERMPARTS_LEAST = 256,
	ENG_TERMPARTS_MOST = 64 << 10,
	ENG_SAMPLE_MOST = 1 << 20,
	ENG_COUNTPART_MOST = 1000
};

/*
 * Locks of shards that the caller has. An event in a VM locks its shard once, for all scripts that look at it, so the
 * engine needs no lock of its own there. The consumer's visits take the caller's lock.
 */
struct eng_locks {
	unsigned n; /* the first n shards have one */
	void (*lock)(void *arg, unsigned shard);
	bool (*trylock)(void *arg, unsigned shard); /* may wait for some microseconds */
	void (*unlock)(void *arg, unsigned shard);
	/* Makes every thread that fires pass a barrier, within microseconds. Returns false if it cannot, perhaps only
	 * for now. NULL if it never can. */
	bool (*barrier)(void *arg);
	void *arg;
};

struct eng_conf {
	unsigned nshards;
	struct eng_locks locks;                                       /* user engine */
	uint64_t bufsize, aggsize, dynvarsize, specsize, scratchsize; /* bytes; buffers and aggregations per shard */
	uint32_t nspec;
	uint64_t memory;       /* the most bytes for all of it; 0 for no limit */
	const char *too_large; /* with a limit: what to say after "the buffers would need N MiB"; only for create */
	struct dobj_sizes sizes;
	enum eng_bufpolicy bufpolicy;
	bool destructive;
	bool confined;        /* user engine: it reads and writes no memory of this process */
	uint64_t bpflogsize;  /* bytes for the log of the kernel's verifier */
	unsigned maxoverhead; /* percent of a scheduler that tracing may take in a traced process; 0 for no limit */
	uint64_t maxfire;     /* ns of processor time that one event may take; 0 for ENG_MAXFIRE */
	uint64_t termbytes, termparts; /* of Erlang terms: how much one event may look at */
	/* NULL, or the name of the Erlang node that this runs in, for firings without their own provider. It may
	 * change while one runs. */
	_Atomic(const char *) *node;
	bool outlives;      /* the memory must be readable after this process has died: see user/image.h */
	uint64_t nonce[2];  /* identifies the memory for its reader, if it outlives the process */
	bool verbose;       /* -v: also report what could be better */
	uint64_t forward;   /* in a node: not 0 if the clauses run in the kernel, which gets the events with this key */
	bool counters;      /* in a node: calls may be counted by the VM, instead of with an event each */
	uint64_t countpart; /* in a node: those calls are counted in one part of so many of the time */
	uint64_t sample;    /* in a node: one process of so many is traced */
	unsigned mergeabove; /* with more nodes than this, some merge snapshots for the others (node/cluster.h) */
	uint64_t aggrate;    /* ns: how often aggregations are taken out, for engines in other processes */
	void *link;          /* the connection of an engine in another process; NULL for other engines */
	/* Called when exit() was called or a buffer of policy fill is full: tracing should end. The firing thread
	 * calls it with locks held, so it may only wake somebody. If it is NULL, status() tells in time. */
	void (*over)(void *arg);
	/* Called when a cut was made (see ENG_CUT_OF): what was aggregated until now should be taken soon, so that
	 * there is room for both. The same rules as for `over`. If it is NULL, it is taken in time. */
	void (*cut)(void *arg);
	void *overarg;
};

/*
 * Cuts. A record of a clause with printa(), clear() and the like is about what was aggregated until that firing. But
 * records and aggregations are taken out separately, and later. So each value and each record has the number of cuts
 * before it, and a firing that leaves such a record makes a cut at its end. Values of cuts after a record's own must
 * not be merged before that record is done. The numbers wrap around, so they are compared by difference. In a snapshot
 * `agg` is the aggregation's row, with the cut above it.
 */
#define ENG_AGG_OF(agg) ((agg)&0xffffu)
#define ENG_CUT_OF(agg) ((uint16_t)((agg) >> 16))
_Static_assert(DOBJ_MAXAGGS <= 0xffff, "an aggregation's row leaves room for the cut");

/* Why something was lost. X(id, words for the message: see consume/status.c) */
#define ENG_DROPS(X) \
	X(PRINCIPAL, "principal buffer") \
	X(AGGREGATION, "aggregation") \
	X(DYNAMIC, "dynamic variable: no free space") \
	X(SPEC, "speculation: no space in the speculative buffer") \
	X(SPECBUSY, "speculation: all speculations busy") \
	X(SPECUNAVAIL, "speculation: none available") \
	X(STACKSTR, "stack string overflow") \
	X(DBLERROR, "error in an ERROR clause") \
	X(LATE, "clauses left out: the event took longer than maxfire") \
	X(TERM, "term: more of it than one event may look at")
enum eng_drop {
#define X(id, text) ENG_DROP_##id,
	ENG_DROPS(X)
#undef X
	    ENG_NDROPS
};

struct eng_status {
	uint64_t drops[ENG_NDROPS]; /* since start */
	uint64_t errors;            /* faults */
	bool exiting;               /* exit() was called */
	int exit_status;
	bool filled;       /* bufpolicy fill: a buffer is full */
	const char *lost;  /* why the engine is gone, or NULL */
	const char *ended; /* why it has stopped by itself, or NULL */
	bool metered;      /* spent is known */
	uint64_t spent;    /* ns that clauses have taken in the traced process since start */
	const char *notes; /* what cannot be traced, one line each, or NULL; the same from `go` on */
	uint64_t nodes;    /* of a node that was asked which others it knows: how often that has changed */
};

/*
 * One event. The caller fills it in. During eng_fire and in the same thread, the engine calls back through `ops`, only
 * for what the clauses ask for. Pointers handed out by ops must stay valid until eng_fire returns.
 */
struct firing;

/*
 * The time that one event may take. A firing runs in somebody else's thread, so its time must have a bound that does
 * not depend on how many costly things an object asks for. Everything that costs time pays units of about a nanosecond.
 * The thread's clock is read only when ENG_LOOK of them are spent, so most events never read it. All firings of an
 * event share one budget, whoever's clauses they run.
 */
struct eng_budget {
	int64_t left;   /* units until the next look */
	uint64_t began; /* ns of the thread's processor time at the first look; 0 if there was none */
	bool over;      /* nothing more runs */
};
enum { ENG_LOOK = 32 << 10 };

static inline void
eng_budget_init(struct eng_budget *b)
{
	b->left = ENG_LOOK;
	b->began = 0;
	b->over = false;
}

/* A question about an Erlang term. */
struct term_query {
	enum dif_subr op; /* one with SF_TERM */
	uint64_t term;    /* from an argument, or the result of an earlier question */
	int64_t num;      /* element(): which one; map_get(), is_map_key() with TERM_KEY_INT: the key */
	enum term_key keykind;
	uint64_t key;     /* TERM_KEY_TERM */
	const char *text; /* TERM_KEY_STRING, textlen bytes */
	size_t textlen;
	size_t most; /* atom(), binary(), text(): look at no more than this, including the NUL */
	/* answer */
	uint64_t result; /* a number, or an address of DIF_R_TERM */
	const char *mem; /* atom(), binary(), text(): len bytes, with or without a NUL */
	size_t len;
};
/* What text is, without looking at it: two texts with the same word and the same kind are equal, as long as the engine
 * lives. Kind 0: that is unknown. Kinds are the provider's; ENG_SAME_NAME is the engine's own. */
struct eng_same {
	uint64_t word;
	uint32_t kind;
};
enum { ENG_SAME_NAME = 255 };

struct firing_ops {
	/* Gives a number or, for strings and structures, bytes (with or without a string's NUL): see eng_builtin.
	 * Returns 0 or a dif_fault. DIF_FAULT_ILLOP means that it does not know: then the engine answers for this
	 * process. It is never asked for timestamp, walltimestamp, epid, id and the probe's names. `index` is for
	 * fds[] and uregs[]. */
	int (*builtin)(
	    struct firing *f, enum dif_builtin id, uint64_t index, uint64_t *num, const void **mem, size_t *len);
	/* Gives memory of DIF_R_ARG for argument n. *same is of kind 0 and may stay so. If it does not, the memory is
	 * a string with its NUL. */
	int (*argmem)(struct firing *f, unsigned n, const void **mem, size_t *len, struct eng_same *same);
	/* What argmem says in *same, without making the memory; or kind 0: then argmem is asked. May be NULL. */
	struct eng_same (*argsame)(struct firing *f, unsigned n);
	/* Writes return addresses of DK_STACK or DK_USTACK, innermost first. Returns the number of frames. */
	unsigned (*stack)(struct firing *f, enum dobj_kind kind, uint64_t *pcs, unsigned max);
	/* Returns 0 or a dif_fault. Work on any term must be bounded. NULL if the provider has no terms. */
	int (*term)(struct firing *f, struct term_query *q);
};
struct firing {
	unsigned probe;               /* from eng_bind */
	unsigned shard;               /* < nshards */
	bool locked;                  /* the caller holds the shard's lock: struct eng_locks */
	uint64_t thread;              /* owner of self-> variables; not 0 */
	int nargs;                    /* arguments past these are not looked at and are 0 */
	uint64_t args[DIF_NARGS];     /* from DIF_TERM_ARGS on terms */
	const struct firing_ops *ops; /* NULL for the engine's own, for this process */
	void *ctx;                    /* for ops */
	struct eng_budget *budget;    /* of the event; NULL if the event is only this firing */
	uint64_t more; /* firings that this one stands for besides itself; its clauses only count: object/counts.h */
};

/* A record as the consumer sees it. */
struct eng_rec {
	uint32_t epid; /* index of eng_epid */
	uint32_t cpu;
	uint16_t cut;
	uint64_t time;    /* timestamp of the firing, ns, monotonic */
	const char *data; /* group's fields, at their offsets */
	/* If fault >= 0 it is an error record (epid of the faulting clause): */
	int fault;             /* -1, or enum dif_fault */
	uint32_t fault_action; /* 1-based number in the group; 0 for the predicate */
	uint32_t fault_pc;     /* bytes: index of the instruction in its clause * 8 */
	uint64_t fault_value;
};

/* An enabled probe id: one for each (probe, clause group). */
struct eng_epid {
	unsigned probe;  /* as bound */
	unsigned clause; /* row of the object's clauses */
	unsigned group;  /* row of the object's groups */
};

struct engine;

/*
 * Probes that are no events: they are fired by this process or by the engine, and have a time of their own. Here, and
 * nowhere else, they are known by their names.
 */
#define DTRACE_PROBES(X) \
	X(BEGIN) /* before all others */ \
	X(END)   /* after all others */ \
	X(ERROR) /* a clause had a fault */
enum eng_role {
	ROLE_EVENT, /* all others */
#define X(name) ROLE_##name,
	DTRACE_PROBES(X)
#undef X
	    ROLE_TICK, /* of this process's clock */
	ROLE_SAMPLE,   /* of each CPU's clock: interrupts what runs there */
};

static inline enum eng_role
eng_role_of(const char *provider, const char *name)
{
	if (strcmp(provider, "profile") == 0)
		return strncmp(name, "tick-", 5) == 0 ? ROLE_TICK : ROLE_SAMPLE;
	if (strcmp(provider, "dtrace") != 0)
		return ROLE_EVENT;
#define X(probe) \
	if (strcmp(name, #probe) == 0) \
		return ROLE_##probe;
	DTRACE_PROBES(X)
#undef X
	return ROLE_EVENT;
}

/* What happened to one of several nodes. */
enum eng_news {
	NEWS_NODE,  /* it does not answer, or answers again, or has joined */
	NEWS_LOST,  /* it is gone; the others go on */
	NEWS_ENDED, /* it ended the tracing by itself */
};

/*
 * An engine may be several nodes. Each is a source, numbered from 0, of records and of values of aggregations. Each
 * counts its own cuts (ENG_CUT_OF). More may come while it runs, but only in `status` and `stop`.
 */
struct engine_sources {
	unsigned (*count)(struct engine *e);
	const char *(*name)(struct engine *e, unsigned source);
	/* While drain or snap call back: where that comes from. */
	unsigned (*current)(struct engine *e);
	bool (*is_lost)(struct engine *e, unsigned source);
	/* The one that speaks for all where something is to be shown once: the first that is not lost. */
	unsigned (*leader)(struct engine *e);
	/* drain has handed out everything that fired before this (ns, monotonic), except that of sources that do not
	 * answer. */
	uint64_t (*complete)(struct engine *e);
	uint64_t (*drops)(struct engine *e, unsigned source, enum eng_drop why);
	/* Calls fn for what happened since the last time. `last`: what is shown is now complete. */
	void (*news)(
	    struct engine *e, bool last, void (*fn)(void *arg, enum eng_news kind, const char *text), void *arg);
	/* How far its clock is ahead of ours (ns), and how wrong that may be; 0 and 0 if it is our clock. */
	void (*clock)(struct engine *e, unsigned source, int64_t *ahead, uint64_t *within);
};

struct engine_ops {
	const char *name;
	bool kernel; /* probes of providers that need the kernel engine fire on it */
	/* The object must be verified and laid out, and outlive the engine. */
	struct engine *(*create)(const struct dobj *o, const struct eng_conf *c, struct why *why);
	/* Binds clause (row) to a probe. The same probe may be bound to many clauses, in order. Names live as long
	 * as the engine. Returns the index for firing.probe, or -1. Calls for one probe id return the same index. */
	int (*bind)(struct engine *e, uint32_t probe_id, const char *const names[4], unsigned clause);
	bool (*start)(struct engine *e, struct why *why);
	/* Makes the bound probes fire, after BEGIN has fired. NULL if the providers do that in this process. */
	bool (*go)(struct engine *e, struct why *why);
	void (*fire)(struct engine *e, struct firing *f);
	/* Makes a bound probe fire on every CPU each period_ns, until the engine stops. NULL if threads of the
	 * provider fire it. */
	bool (*sample)(struct engine *e, unsigned probe, uint64_t period_ns, struct why *why);
	/* After this returns only END's clauses run. */
	void (*stop)(struct engine *e);
	/* Takes the records out, shard by shard, in the order written; for `ring` only after stop. Neither this nor
	 * snap waits for a firing: see is_whole. */
	void (*drain)(struct engine *e, void (*fn)(void *arg, unsigned shard, const struct eng_rec *r), void *arg);
	/* Takes the aggregations out: deltas since the last snap. Keys are packed as in key.h. agg includes its cut. */
	void (*snap)(struct engine *e,
	    void (*fn)(void *arg, unsigned agg, const void *key, size_t keylen, const uint64_t *words), void *arg);
	/* Returns whether the last drain (`records`) or snap gave out everything that came before it. If not, a firing
	 * was under way: the rest comes with the next one, or the one after that. NULL if they always do. */
	bool (*is_whole)(struct engine *e, bool records);
	void (*status)(struct engine *e, struct eng_status *s);
	/* Called often: takes over what waits elsewhere for drain and snap, so that there is room there. NULL if
	 * nothing does. */
	void (*fetch)(struct engine *e);
	/* Starts to measure what `status` gives as `spent`, if that is not free. NULL if there is nothing to start. */
	void (*meter)(struct engine *e);
	/* Returns the drops of one shard, which mostly means one CPU. NULL if unknown. */
	uint64_t (*shard_drops)(struct engine *e, unsigned shard, enum eng_drop why);
	/* Forgets everything that `thread` kept in self->. */
	void (*thread_exit)(struct engine *e, uint64_t thread);
	/* Finishes commits and discards; called at cleanrate. */
	void (*clean)(struct engine *e);
	const struct eng_epid *(*epid)(struct engine *e, uint32_t epid); /* NULL if there is none */
	/* Called while output has to wait: tells the other side that we are still there. NULL if there is nobody to
	 * tell. Not from inside drain or snap. */
	void (*alive)(struct engine *e);
	/* Calls fn with the index and the name of each process of a source whose name is known. NULL if the engine
	 * knows no Erlang processes. Not from inside drain or snap. */
	void (*names)(struct engine *e, unsigned source, const char *const *pids, unsigned n,
	    void (*fn)(void *arg, unsigned i, const char *name), void *arg);
	/* If the engine is several nodes; otherwise NULL. */
	const struct engine_sources *sources;
	/* Returns whether a probe, by its index from bind, has fired since the start, whatever its predicates said.
	 * NULL if that is unknown. */
	bool (*fired)(struct engine *e, unsigned probe);
	/* Returns the names that a probe was bound with, or NULL if there is no such probe. The op is NULL if nobody
	 * asks. */
	const char *const *(*probe_names)(struct engine *e, unsigned probe);
	/* Returns what the kernel's verifier said about the program that it refused, or NULL. */
	const char *(*log)(struct engine *e);
	void (*destroy)(struct engine *e);
};

extern const struct engine_ops engine_user;

#endif
