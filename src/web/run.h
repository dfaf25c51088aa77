/*
 * One running script: a handle, driven by a thread of its own from opening to
 * closing. What the thread has gathered is taken out by others under the run's lock, which is
 * never held for longer than it takes to copy a pointer.
 *
 * Frames carry the state of all aggregations, numbers since the start. A whole
 * frame has every element; a partial one those that changed since the frame before
 * it. Who has seen frame n can be given the partial frame n + 1; who has not
 * asks for a whole one. Nothing queues up for a slow reader.
 */
#ifndef ET_WEB_RUN_H
#define ET_WEB_RUN_H

#include "base/sbuf.h"
#include "erltrace.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#ifdef ET_TINY
enum { RUN_LOG = 8, RUN_ELEMS = 64, RUN_TABLE = 4 };
#else
enum {
	RUN_LOG = 4096,    /* lines that are kept */
	RUN_ELEMS = 20000, /* elements in a frame */
	RUN_TABLE = 1024,  /* places of the table of elements, at first */
};
#endif
enum {
	RUN_LINE = 16 << 10,    /* bytes of a line of the log */
	RUN_KEY = 64 << 10,     /* bytes of a string in a key */
	RUN_FRAME = 24 << 20,   /* bytes of a frame */
	RUN_MEMORY = 512 << 20, /* bytes that the options of a script may ask for */
	RUN_SHORTEST_MS = 100,
	RUN_LONGEST_MS = 60000,
};

enum run_state { RUN_STARTING, RUN_GOING, RUN_ENDED, RUN_FAILED };
enum run_form { RUN_FRAMES, RUN_PLAIN_HEATMAP, RUN_PLAIN_LIST };

struct run_opt {
	const char *name, *value;
};
struct run_conf {
	const char *name, *script;
	const char *node, *cookie; /* NULL: none, and the default */
	unsigned interval;         /* ms */
	bool destructive;          /* permitted */
	enum run_form form;
	const struct run_opt *opts; /* until run_start() returns */
	unsigned nopts;
};

struct frame {
	atomic_uint refs;
	uint64_t seq;
	struct sbuf text; /* LWS_PRE bytes of room, then JSON */
};
void frame_drop(struct frame *f); /* NULL is allowed */

/* The elements as of the last frame, by a hash of aggregation and key. */
struct elem {
	uint64_t hash; /* 0: free */
	uint64_t count;
	int64_t raw;
	uint64_t seq; /* of the last frame that had it */
};
struct elems {
	struct elem *at;
	size_t cap, n;
};

struct run {
	/* set by run_start() */
	unsigned id;
	char *name, *script, *node, *cookie;
	unsigned interval;
	bool destructive;
	enum run_form form;
	struct run_opt *opts;
	unsigned nopts;
	uint64_t started; /* ms since 1970 */
	void (*wake)(void *arg);
	void *wakearg;
	pthread_t thread;
	atomic_bool stop, over;

	pthread_mutex_t lock; /* for what follows */
	struct et *h;         /* for et_interrupt(); NULL before and after */
	enum run_state state;
	char *why;  /* why it ended or failed, or NULL */
	char *diag; /* the same as JSON, when it did not compile */
	unsigned matches;
	struct frame *part, *whole;
	bool want_whole;
	char *log[RUN_LOG]; /* JSON objects; line i at i % RUN_LOG */
	uint64_t logged;    /* lines ever */
	uint64_t events, drops, errors;
	double rate; /* events a second in the last interval */
	bool guard;  /* ended by the overhead guard */

	/* the thread's own */
	struct elems elems;
	unsigned nactions;
	struct sbuf record;
	uint64_t seq, counted, records;
	uint64_t last_ns; /* of the last frame, monotonic */
	bool refused;
	const char *refusal;
	uint64_t bounds_sent; /* bit i: the bounds of aggregation i are known to readers of partial frames */
};

/* NULL: out of memory or threads. `wake` is called by the thread when there is something new. */
struct run *run_start(const struct run_conf *c, unsigned id, void (*wake)(void *arg), void *arg);
/* Asks it to end; `over` is set when it has. */
void run_stop(struct run *r);
/* Waits for its end. */
void run_free(struct run *r);
/* The frame for somebody who has seen frame `seq` (0: none), or NULL: there is none yet. The caller drops it. */
struct frame *run_frame(struct run *r, uint64_t seq);
/* What there is to say of it, as a JSON object. */
void run_json(struct run *r, struct sbuf *b, unsigned watchers);
/* Adds up to `most` lines from *next on to b as a JSON array and moves *next on; *lost: lines that were not kept.
 * False: there are none. */
bool run_log(struct run *r, uint64_t *next, uint64_t *lost, size_t most, struct sbuf *b);

/* Takes the options that a script has set as far as they are allowed; false: *why, constant. */
bool run_check_options(struct et *h, bool destructive, const char **why);
/* The place of a failed compilation as a JSON object, or null. */
void run_diag_json(struct et *h, struct sbuf *b);

/* frame.c: the frames of an interval. Either may be NULL: not wanted. False: out of memory or et_errno(). */
bool frame_build(struct run *r, struct et *h, bool want_whole, struct frame **part, struct frame **whole);
bool frame_plain(struct run *r, struct et *h, struct frame **f);
void elems_free(struct elems *t);

#endif
