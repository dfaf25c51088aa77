/*
 * The hub: where the VM's trace events meet the running scripts.
 *
 * There is one hub for each loaded copy of the library. The VM calls the tracer on whatever thread an event happens.
 * The thread takes its shard's lock, finds who subscribed to the probe, and runs their clauses. Before OTP 27 a process
 * has only one tracer, so all scripts share this one.
 *
 * Locking: hub.manage (a mutex) is for opening, starting, stopping and closing scripts. A callback holds only its
 * shard's lock, then locks of the engine and of the tables, which never call back. Nobody waits for a callback while
 * others wait for him: subscriptions come and go while callbacks run, and what a callback may still look at is freed
 * when all that ran then have ended (hub_note(), hub_passed()). Only when the last script is gone, so that no clause
 * can run, hub_quiet() takes all shard locks.
 */
#ifndef ERLTRACE_HUB_H
#define ERLTRACE_HUB_H

#include "engine/engine.h"
#include "provider/erlang_probes.h"

#include "chosen.h"
#include "gate.h"
#include "meter.h"
#include "mfa.h"
#include "ports.h"
#include "procs.h"
#include "sample.h"
#include "spin.h"
#include "threads.h"

#include <erl_nif.h>

enum { HUB_OTHERS = 3 }; /* shards for threads that are not normal schedulers: erltrace_tracer:threads/0 */
enum { HUB_SCRIPTS = 16, HUB_OWN = 64, HUB_TEXT = 48 << 10, HUB_ARGTEXT = 4 << 10 };
enum { HUB_LEAVES = 128, HUB_LEAFTEXT = 55 };

/* A script's interest in a probe. Lists are in order of subscription. They change with hub.manage held, while callbacks
 * read them. */
struct sub {
	struct sub *_Atomic next;
	struct sub *removed; /* the next one that is in no list any more */
	unsigned script;     /* row of hub.scripts */
	unsigned probe;      /* for firing.probe */
	unsigned args;       /* bit n: some clause looks at argument n; SUB_FUNCTION, SUB_WHOLE */
};

#define SUB_FUNCTION (1u << 31) /* a function by name, for clauses in the kernel: process, mfa, depth */
#define SUB_WHOLE (1u << 30)    /* its clauses need more than the process, whatever arguments they look at */

typedef struct sub *_Atomic sub_list;

bool sub_add(sub_list *list, unsigned script, unsigned probe, unsigned args);
/* Adds them to *removed: callbacks may still look at them. */
void sub_remove(sub_list *list, unsigned script, struct sub **removed);
void sub_free_removed(struct sub **removed);
/* Returns whether no subscriber needs more than the process, which is argument 0. */
static inline bool
sub_is_brief(const struct sub *list)
{
	unsigned args = 0;
	for (; list; list = list->next)
		args |= list->args;
	return !(args & ~1u);
}
void sub_free_all(sub_list *list);

/* What brings events for which no clause runs. */
#define WANT_BESIDES \
	(WANT_LOADS | WANT_READ | WANT_SAMPLE | WANT_CALLERS | WANT_SHADOW | WANT_RUN | WANT_EXIT | WANT_SIGNAL | \
	    WANT_SLEEP | WANT_UNBLOCK | WANT_SLOT | WANT_WHERE)

/* Where the clauses of a script are. */
enum script_way {
	RUN_ENGINE, /* here */
	RUN_EVENTS, /* in the kernel: each event goes to the script's site */
	RUN_SITES,  /* somewhere: each event goes to the USDT site of its probe. The last row of hub.scripts */
};

/* A script that was opened. */
struct script {
	/* what every event needs is together */
	_Alignas(64) bool used;
	enum script_way way;
	atomic_bool running;
	unsigned index;
	atomic_uint over; /* the percentage that was too much; no clause runs any more */
	unsigned one_of;  /* it sees one process of so many: chosen.h; 0 or 1: all */
	struct engine *engine;
	struct meter *meters; /* by shard; METER_OTHERS more */
	uint64_t key;         /* RUN_EVENTS: struct node_event */
	struct dobj obj;
	unsigned wants;
	unsigned stacks;               /* frames of the longest stack that a clause records; 0 if none does */
	bool depths;                   /* a clause reads stackdepth */
	uint64_t thread_owner;         /* the owner's pid as a term */
	bool probes[ERL_NPROBES];      /* subscribed to */
	unsigned maxoverhead;          /* percent of a scheduler; 0, or 100 and more, for no limit */
	atomic_bool explaining;        /* somebody writes `why` */
	struct why why;                /* what cost so much, once `over` is set */
	unsigned termparts, termbytes; /* that one event may look at */
	atomic_ullong terms;           /* events that had more of a term than they may look at */
	/* If the VM counts for some of its probes: counted.h. */
	bool counted;
	ErlNifPid agent;
	const unsigned char *traits; /* of probes, by index */
	unsigned asked;              /* tickets of the timers' thread */
	atomic_uint folded;          /* the ticket that was done last */
	struct hub *hub;
};

/* The text of a word whose meaning never changes: a local pid, an atom. */
struct leaf {
	ERL_NIF_TERM term; /* 0: free */
	uint64_t shown;    /* the event that looked at it last */
	uint8_t len;
	char text[HUB_LEAFTEXT];
};

struct hub_shard {
	_Alignas(64) struct gate gate;
	size_t text_used;
	ERL_NIF_TERM gc_pid; /* heap size at the start of the collection that runs now */
	uint64_t gc_heap;
	_Atomic uint64_t events; /* only the holder of the lock counts */
	struct meter_turns turns;
	struct sampled sampled;
	char port_name[PORT_NAME];
	struct leaf leaves[HUB_LEAVES]; /* by a hash of the term */
	char text[HUB_TEXT];
};

/* The last links that broke, in turn. */
enum { HUB_BROKEN = 64 };
struct broken {
	spin lock;
	unsigned nlinks;
	struct {
		ERL_NIF_TERM process, from; /* 0 if already reported */
	} links[HUB_BROKEN];
};

struct hub_name {
	struct hub_name *next;
	char text[];
};

struct hub {
	/* What every event needs is together. It is seldom written. */
	_Alignas(64) atomic_uint wants; /* of all running scripts */
	atomic_bool calls_only;         /* of functions they want only clauses of those by name: trace_calls.c */
	atomic_bool runs_plainly;       /* of switches they want only the two probes: tracer_enabled_running_procs() */
	atomic_uint one_of;             /* of so many processes only one is anybody's concern: chosen.h */
	atomic_uint nrunning;
	atomic_uint termparts, termbytes; /* the most that any of them allows, because they share an event */
	unsigned nshards;
	atomic_uint nown;
	_Atomic uint64_t own_bits; /* hub_own_bit() of all own processes, and maybe more */
	struct hub_shard *shards;
	/* While a script is open; freed under hub_quiet(). */
	struct mfas *mfas;
	struct procs *procs;
	struct ports *ports;
	ErlNifMutex *manage;
	ErlNifEnv *memory; /* of memo: what the hub process wants its successor to know, or NULL */
	ERL_NIF_TERM memo;
	atomic_bool on[ERL_NPROBES];    /* some running script has subscribed to it */
	atomic_bool brief[ERL_NPROBES]; /* and nobody needs more of it than the process: tracer.c */
	struct broken broken;
	struct samples samples;
	_Atomic(ERL_NIF_TERM) loader; /* the code server: chosen.h */
	struct strays strays;
	_Atomic(ERL_NIF_TERM) own[HUB_OWN];     /* processes of erltrace itself: never traced */
	struct script scripts[HUB_SCRIPTS + 1]; /* the last is for the USDT sites: sites.h */
	bool unloaded;                          /* the module is gone; the last script frees the hub */
	sub_list subs[ERL_NPROBES];
	sub_list user[ERL_USER_TRACES]; /* user_trace-n */
	atomic_uint user_on;            /* some user_trace probe is subscribed */
	_Atomic(const char *) node;     /* the node's name. Never NULL */
	struct hub_name *names;         /* all that it has had while scripts are open, because events may look at any */
};

bool hub_init(struct hub *h, unsigned nshards);
void hub_destroy(struct hub *h);
/* All of these with hub.manage held. */
void hub_quiet(struct hub *h);
void hub_loud(struct hub *h);
/* Notes which events are under way, in an array of one number for each shard. hub_passed() returns whether all of them
 * have ended; whoever came later sees what was written before hub_note(). They never wait. */
void hub_note(struct hub *h, uint64_t *events);
bool hub_passed(struct hub *h, uint64_t *events);
bool hub_tables(struct hub *h); /* makes mfas and procs if they do not exist; returns false if there is no memory */
void hub_count(struct hub *h);  /* what the running scripts want; callbacks may run meanwhile */
/* If no script wants to know what runs: a later one must not find who ran for this one. Called when events of before
 * have passed. */
void hub_forget_threads(struct hub *h);
void hub_free_tables(struct hub *h); /* with the last script */
/* The node has this name from now on; events that are under way may still see the last one. Returns false if there is
 * no memory. */
bool hub_set_node(struct hub *h, const char *name);

/* The locks of the shards, for engines. */
struct eng_locks hub_locks(struct hub *h);

unsigned hub_new_index(const struct hub *h);
/* The number of the calling thread's shard. */
static inline unsigned
hub_index(const struct hub *h, const struct thread *own)
{
	unsigned mine = atomic_load_explicit(&own->shard, memory_order_relaxed) - 1;
	return ET_LIKELY(mine < h->nshards) ? mine : hub_new_index(h);
}

/* Shards below this have one thread each, mostly. */
static inline unsigned
hub_owned(const struct hub *h)
{
	return h->nshards > HUB_OTHERS ? h->nshards - HUB_OTHERS : h->nshards;
}

/* The calling thread's shard, locked. */
static inline __attribute__((always_inline)) struct hub_shard *
hub_enter(struct hub *h, unsigned *index)
{
	const struct thread *own = thread_own();
	*index = hub_index(h, own);
	struct hub_shard *s = &h->shards[*index];
	if (ET_UNLIKELY(!gate_enter_owner(&s->gate, own)))
		gate_enter_locked(&s->gate, own, *index < hub_owned(h) && !thread_is_shared(own));
	return s;
}

static inline void
hub_leave(struct hub_shard *s)
{
	gate_leave(&s->gate);
}

/* Pids are numbers with a tag of four bits. */
static inline uint64_t
hub_own_bit(ERL_NIF_TERM pid)
{
	return 1ULL << ((uint64_t)pid >> 4 & 63);
}

static inline bool
hub_is_own(struct hub *h, ERL_NIF_TERM pid)
{
	if (ET_LIKELY(!(atomic_load_explicit(&h->own_bits, memory_order_acquire) & hub_own_bit(pid))))
		return false;
	unsigned n = atomic_load_explicit(&h->nown, memory_order_acquire);
	for (unsigned i = 0; i < n; i++)
		if (atomic_load_explicit(&h->own[i], memory_order_relaxed) == pid)
			return true;
	return false;
}

#endif
