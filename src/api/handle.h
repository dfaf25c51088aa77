/*
 * The handle: what et_open() returns. It owns everything that a user of the library compiles, enables and runs.
 *
 * Life: open (options, programs) → going (et_go) → stopped → closed. A handle traces once. Other threads touch only
 * `wakefd`, `interrupted` and `cut`.
 */
#ifndef ET_API_HANDLE_H
#define ET_API_HANDLE_H

#include "base/opts.h"
#include "object/dobj.h"
#include "gen/gen.h"
#include "consume/consume.h"
#include "engine/engine.h"
#include "erltrace.h"
#include "gen/compile.h"
#include "lang/lang.h"
#include "provider/erlang.h"
#include "provider/provider.h"

#include <stdatomic.h>

struct et_prog {
	struct et_prog *next; /* in order of compiling */
	char *name;
	unsigned clause, nclauses; /* rows of the object's clauses */
	char *stability;
	bool enabled;
};

enum handle_state { HS_OPEN, HS_GOING, HS_STOPPED };

/* A description (row of the object's) and the engine's index of a probe that it matches. */
struct matched {
	uint32_t pdesc, index;
};

/* A provider that is running. */
struct running {
	const struct provider *pv;
	struct pv_run *run;
};

struct et {
	struct opts opts;
	struct probes *probes;
	struct lang *lang;
	struct unit *unit;
	struct et_prog *progs, *last;
	bool has_object; /* programs come from a D object, in `obj` */
	int64_t target;
	struct nodelink *node;   /* the live node that it is attached to, or NULL … */
	struct cluster *cluster; /* … if there are several, this */
	struct tunnel *tunnel;   /* to nodes whose distribution runs over TLS; or NULL */
	struct mixed *mixed;     /* the half of a script that is in the node, if the other is in the kernel; or NULL */
	struct erlang_link link;
	struct cs_handlers on;
	et_note_f *note; /* or NULL */
	void *notearg;
	struct kern_watch *watch; /* watches processes that come and go, while addresses in them are traced; or NULL */
	struct syms *syms;        /* names for addresses, made when first asked for; or NULL */

	enum handle_state state;
	bool exited, filled;
	struct dobj obj; /* from et_go() on, or loaded */
	const struct engine_ops *ops;
	struct engine *engine;
	unsigned nshards;
	struct consumer cs;
	bool has_cs;
	struct et_probe *bound;  /* probes with clauses, by the engine's index */
	struct pv_bound *pbound; /* the same for the providers */
	unsigned nbound, capbound;
	const struct probe **unable; /* probes that programs name but that cannot fire here */
	unsigned nunable;
	bool able; /* there are others, besides those of the clock */
	struct running *running;
	unsigned nrunning;
	uint32_t pdesc;          /* the description that is being matched */
	struct matched *matched; /* what each description is bound to */
	unsigned nmatched, capmatched;
	int begin, end; /* the engine's index, or -1 */
	bool speculates;
	uint64_t last_switch, last_agg, last_look, last_status, last_clean; /* ns, monotonic */
	uint64_t look;                                                      /* ns until exit() is looked for again */

	const char *confined; /* if not NULL: see et_confine() */
	int wakefd;
	atomic_bool interrupted;
	atomic_bool cut; /* see eng_conf */

	int err;
	char *errmsg;
	struct diag diag;
	struct et_diag pubdiag;
};

/* Describes the last failure and returns -1. */
int api_fail(struct et *h, enum et_error err, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
/* Takes over the consumer's error. */
int api_fail_cs(struct et *h);

/* What the compiler calls it: PS_NAME, … */
int api_pspec(enum et_probespec spec);
/* Makes an object of all of the handle's programs; the caller frees it (dobj_free). */
int api_object(struct et *h, struct dobj *o);
struct et_probe api_probe(const struct probe *p);
/* Visits each description of a clause. Returns the number of all matches, or -1. */
int api_clause_probes(
    struct et *h, const struct dobj *o, unsigned clause, void (*fn)(void *arg, const struct probe *p), void *arg);

/* Returns whether it is attached to a node or to several. */
static inline bool
api_is_attached(const struct et *h)
{
	return h->node || h->cluster;
}

/* Chooses the engine for this handle's programs. Returns 0, or -1 if they need one that is not available. */
int api_engine(struct et *h, const struct engine_ops **ops);
/* The same if no node is attached: in this process, or in the kernel (choose.c). */
int api_local_engine(struct et *h, const struct engine_ops **ops);
/* The kernel engine, if this build has it and the handle may use it. */
int api_kernel_engine(struct et *h, const struct engine_ops **ops);
void api_detach(struct et *h);
#ifdef ET_WITH_EI
/* Attaches to a node over an open link. Takes ownership of the link, also on failure. */
int api_attach(struct et *h, struct nodelink *n);
#endif

/* Returns the handle's own names for addresses, or NULL if there is no memory. */
struct syms *api_syms(struct et *h);
/* Uses them, unless the user of the handle has set a symboliser. */
void api_use_symbols(struct et *h);

/* When this returns, everything that happened to processes so far is known. */
void api_watch(struct et *h);

/* fired.c: notes that the description being matched is bound to a probe. Returns false if memory ran out. */
bool api_matched(struct et *h, unsigned index);

/* How the engine is; both, if the script has two. */
void api_status(struct et *h, struct eng_status *st);
/* Stops providers and engine and runs END. */
void api_halt(struct et *h);
/* Frees everything that et_go() made. */
void api_unmake(struct et *h);

#endif
