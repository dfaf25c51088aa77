/*
 * A script that runs for pages: on one node, on several at once, or in the server itself.
 *
 * A run has a leg for each node: a handle of the library with its own thread (leg.c), so that a slow node holds up
 * nobody. Every interval a leg takes its aggregations out as a sheet (sheet.c). The run's own thread makes frames of
 * the sheets (frame.c), merged or with the node as the first key. It keeps the frames of the last half hour for pages
 * that join later. The owner (server.c) asks for frames and lines and ends the run.
 *
 * Locking: r->lock guards everything below the line in struct run and struct leg. It is never held while JSON is made
 * of sheets or a handle works. Frames are reference-counted and never change.
 */
#ifndef ET_WEB_RUN_H
#define ET_WEB_RUN_H

#include "alert/parts.h"
#include "base/sbuf.h"
#include "erltrace.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#ifdef ET_TINY
enum { RUN_LOG = 8, RUN_ELEMS = 64, RUN_TABLE = 4, RUN_PAST = 8, RUN_PAST_BYTES = 16 << 10, RUN_KEY_EVERY = 3 };
#else
enum {
	RUN_LOG = 4096,            /* lines kept */
	RUN_ELEMS = 20000,         /* most elements in a frame */
	RUN_TABLE = 1024,          /* initial size of the table of elements */
	RUN_PAST = 18000,          /* frames kept: half an hour at ten a second, */
	RUN_PAST_BYTES = 16 << 20, /* if they fit into this */
	RUN_KEY_EVERY = 64,        /* one in so many is kept whole, as a starting point */
};
#endif
enum {
	RUN_LINE = 16 << 10, /* bytes of a line of the log */
	RUN_LOG_BYTES = 8 << 20,
	RUN_KEY = 64 << 10,   /* bytes of a string in a key */
	RUN_FRAME = 24 << 20, /* bytes of a frame */
	RUN_MEMORY =
	    512 << 20, /* bytes that a script may use in the server: its engine, and what is kept of its results */
	RUN_MEMORY_CPU = 12 << 20, /* at least this much per processor */
	RUN_PAST_MS = 30 * 60 * 1000,
	RUN_SHORTEST_MS = 100,
	RUN_LONGEST_MS = 60000,
	RUN_LEGS = 16,
	RUN_ALERTS = 200,
};

enum run_state { RUN_STARTING, RUN_GOING, RUN_ENDED, RUN_FAILED };
enum run_form { RUN_FRAMES, RUN_PLAIN_HEATMAP, RUN_PLAIN_LIST };

/* A limit on memory. Budgets are reference-counted. Taking from one also takes from those above it. */
struct memory_budget {
	atomic_uint refs;
	atomic_size_t used;
	size_t most;
	struct memory_budget *up;
};
struct memory_budget *budget_new(size_t most, struct memory_budget *up); /* NULL if memory ran out */
struct memory_budget *budget_ref(struct memory_budget *b);
void budget_drop(struct memory_budget *b); /* NULL is allowed, here and below, and means no limit */
bool budget_take(struct memory_budget *b, size_t n);
void budget_give(struct memory_budget *b, size_t n);
/* What one object has taken so far. */
struct charge {
	struct memory_budget *b;
	size_t n;
};
/* Takes more, in steps, until it is `bytes`. Returns false if the budget has no more. */
bool charge_to(struct charge *c, size_t bytes);
/* The object has reached its final size. */
void charge_settle(struct charge *c, size_t bytes);
void charge_end(struct charge *c);

struct run_opt {
	const char *name, *value;
};
struct run_conf {
	const char *name, *script;
	const char *nodes[RUN_LEGS];
	unsigned nnodes;    /* 0 if it runs in the server */
	bool merged;        /* several nodes as if they were one; otherwise the node is the first key */
	const char *cookie; /* NULL for the default */
	unsigned interval;  /* ms */
	bool destructive;   /* destructive actions are permitted */
	bool kernel;        /* may see the kernel and other processes */
	struct memory_budget *budget, *aggs; /* the server's, and its part for aggregations */
	enum run_form form;
	const struct run_opt *opts; /* valid until run_start() returns */
	unsigned nopts;
};

struct frame {
	atomic_uint refs;
	uint64_t seq, ms; /* ms since 1970 */
	bool whole;
	struct charge charge;
	struct sbuf text; /* LWS_PRE bytes of room, then JSON */
};
struct frame *frame_new(uint64_t seq, struct memory_budget *b);
void frame_drop(struct frame *f); /* NULL is allowed */

/* -- what a leg has aggregated at one moment (sheet.c). It never changes once it is made. */
struct bucket {
	uint32_t at;
	int64_t n;
};
struct item {
	unsigned agg;
	size_t key, keylen; /* in text: the keys as JSON, without the brackets around */
	uint64_t count, normal;
	uint64_t words[4]; /* for merging, if it is not a distribution */
	int64_t value, raw;
	size_t bucket;
	unsigned nbuckets;
};
/* The bounds of an aggregation's buckets as JSON. They never change, so a leg makes them once and all sheets share
 * them. */
struct bounds {
	atomic_uint refs;
	size_t len;
	char text[];
};
/* The bounds of a leg, by the aggregation's number. */
struct bounds_kept {
	struct bounds **at;
	unsigned n;
};
void bounds_free(struct bounds_kept *k);
struct aggkind { /* one aggregation */
	unsigned id;
	char *name;
	struct bounds *bounds; /* NULL if it has none */
	enum et_aggfn fn;
};
struct sheet {
	struct item *items; /* by aggregation, then key */
	size_t n, cap;
	struct sbuf text;
	struct bucket *buckets;
	size_t nbuckets, capbuckets;
	struct aggkind *kinds;
	unsigned nkinds;
	size_t bounds;            /* bytes of all bounds */
	struct bounds_kept *kept; /* only while it is made */
	uint64_t counted;         /* values in all elements, including those that did not fit */
	unsigned omitted;
	bool failed;
	struct charge charge;
};
/* Returns NULL if memory ran out or with et_errno(). */
struct sheet *sheet_take(struct et *h, struct memory_budget *b, struct bounds_kept *kept);
void sheet_free(struct sheet *s); /* NULL is allowed */
/* Merges all into one, joining elements with the same keys. Returns NULL if memory ran out. */
struct sheet *sheet_merge(struct sheet *const *from, unsigned n, struct memory_budget *b);
const struct aggkind *sheet_kind(const struct sheet *s, unsigned id);
void web_key(struct sbuf *b, struct et *h, const struct et_value *v);

/* The elements at the last frame, by a hash of aggregation and key. */
struct last_elem {
	uint64_t hash; /* 0: free */
	uint64_t count;
	int64_t raw;
	uint64_t seq; /* of the last frame that had it */
};
struct elems {
	struct last_elem *at;
	size_t cap, n;
};
void elems_free(struct elems *t);

struct run;

struct leg {
	struct run *r;
	char *node; /* NULL if it runs in the server */
	pthread_t thread;
	bool started;

	/* r->lock */
	struct et *h; /* for et_interrupt(); NULL before and after */
	enum run_state state;
	bool over;          /* its thread has ended */
	char *why, *diag;   /* why it ended or failed, or NULL; the same as JSON if it did not compile */
	unsigned matches;   /* probes */
	struct sheet *next; /* the newest one, until the run's thread takes it */
	struct frame *plain;
	bool fresh;
	uint64_t events, drops, errors;
	double rate;     /* events a second in the last interval */
	double overhead; /* percent of a processor that its clauses took in the last interval; < 0 if unknown */
	unsigned limit;  /* maxoverhead */
	bool guard;      /* ended by the overhead guard */
	bool late;       /* it was interrupted because it did not start in time */

	/* used by the run's thread */
	struct sheet *shown;

	/* used by the leg's own thread */
	unsigned nactions;
	struct sbuf record;
	struct bounds_kept bounds;
	uint64_t records, counted, spent;
	uint64_t last_ns; /* of the last sheet, monotonic */
	size_t engine;    /* bytes of the budget that the engine uses */
};

/* An alert of the script (alerts.c). */
struct run_alert {
	const struct leg *leg;
	struct alert_parts is;
	char *top;                          /* a list in JSON: the keys with the most then; NULL: none */
	uint64_t number;                    /* order of their beginnings */
	uint64_t count, since, until, last; /* ms since 1970, until 0: not over; last: monotonic */
	bool says_over;
};

struct run {
	/* set by run_start() */
	unsigned id;
	char *name, *script, *cookie;
	unsigned interval;
	bool destructive, kernel, merged;
	/* The run's budget, its part for what handles have aggregated, and that part for all scripts together. */
	struct memory_budget *budget, *aggs, *all_aggs;
	enum run_form form;
	struct run_opt *opts;
	unsigned nopts;
	uint64_t started; /* ms since 1970 */
	uint64_t began;   /* ns, monotonic */
	void (*wake)(void *arg);
	void *wakearg;
	pthread_t thread;
	atomic_bool stop, over;
	struct leg legs[RUN_LEGS];
	unsigned nlegs;
	pthread_cond_t news; /* legs signal it to the run's thread */

	pthread_mutex_t lock; /* guards what follows */
	enum run_state state;
	char *why;
	struct frame *part, *whole;
	struct frame *past[RUN_PAST]; /* frame seq is at seq % RUN_PAST, for seq >= first_past; the first one is
				       * whole */
	uint64_t first_past;          /* 0 if there are none */
	size_t past_bytes, since_key; /* total bytes, and bytes since the last whole one */
	bool too_big;                 /* frames are not kept */
	bool want_whole;
	char *log[RUN_LOG]; /* JSON objects; line i at i % RUN_LOG */
	uint64_t logged;    /* lines ever */
	uint64_t log_first; /* the oldest that is kept */
	size_t log_bytes;
	struct run_alert alerts[RUN_ALERTS];
	unsigned nalerts;
	uint64_t alerts_seen, alerts_dropped;

	/* used by the run's thread */
	struct elems elems;
	uint64_t seq;
	uint64_t last_ns;     /* of the last frame, monotonic */
	uint64_t bounds_sent; /* bit i: readers of partial frames know the bounds of aggregation i */
};

/* Returns NULL if memory or threads ran out. A thread of the run calls `wake` when there is something new. */
struct run *run_start(const struct run_conf *c, unsigned id, void (*wake)(void *arg), void *arg);
/* Asks it to end. `over` is set when it has ended. */
void run_stop(struct run *r);
/* Ends legs that do not start in time. */
void run_tick(struct run *r);
/* Waits for its end. */
void run_free(struct run *r);
/* Returns the frame for a reader who has seen frame `seq` (0 if none), or NULL if there is none yet. The caller
 * drops it. *past asks for kept frames: all from the oldest up to this one, or with RUN_ALL_PAST up to now. It is 0
 * if none are wanted or no more are left. */
#define RUN_ALL_PAST UINT64_MAX
struct frame *run_frame(struct run *r, uint64_t seq, uint64_t *past);
/* Adds the state of the run as a JSON object. */
void run_json(struct run *r, struct sbuf *b, unsigned watchers);
/* Adds the state of each leg as a JSON array. r->lock is held. */
void run_legs_json(const struct run *r, struct sbuf *b);
/* Adds up to `most` lines from *next on to b as a JSON array and moves *next on. *lost is the number of lines that
 * were not kept. Returns false if there are none. */
bool run_log(struct run *r, uint64_t *next, uint64_t *lost, size_t most, struct sbuf *b);

/* alerts.c */
/* An alert of the script on a leg. Locks. */
void run_alert(struct leg *l, const struct et_probedata *d, const struct et_alertdata *from);
/* Adds ,"alerts":{…} if there are any. r->lock is held. */
void run_alerts_json(struct run *r, struct sbuf *b);
void run_alerts_free(struct run *r);

/* leg.c */
/* Returns false if there is no thread. */
bool leg_start(struct leg *l);
void leg_free(struct leg *l);
/* Checks that a script's options are allowed. Returns false with *why, a constant. *engine, unless NULL, gets the
 * bytes that they ask for. */
bool run_check_options(struct et *h, bool destructive, size_t *engine, const char **why);
/* The same for what the program does. */
bool run_check_program(const struct et_proginfo *info, bool destructive, const char **why);
/* The place of a failed compilation as a JSON object, or null. */
void run_diag_json(struct et *h, struct sbuf *b);
/* run.c, for legs: takes ownership of the line, which is NULL if there was no memory for it. */
void run_log_line(struct run *r, char *line);

/* frame.c: makes the frames of an interval out of what the legs show. Either may be NULL, if it is not wanted or
 * cannot be made. Returns false if memory ran out. */
bool frame_build(struct run *r, bool want_whole, struct frame **part, struct frame **whole);
/* plain_frame.c: makes a frame of what is new since the last time, and forgets it. *counted is the number of values
 * in it. */
bool frame_plain(struct et *h, enum run_form form, struct memory_budget *b, struct frame **f, uint64_t *counted);

#endif
