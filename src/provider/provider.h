/*
 * Providers and probes. A provider is one file with one struct provider and one
 * row of list.h: it says which probes there are, what their arguments are, and
 * makes them fire on an engine.
 *
 * Ownership: struct probes owns all probes and their names; a struct probe *
 * stays valid until probes_free(). Ids start at 1 and never change.
 */
#ifndef ET_PROVIDER_PROVIDER_H
#define ET_PROVIDER_PROVIDER_H

#include "base/arena.h"
#include "engine/engine.h"
#include "provider/list.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct provider;

struct probe {
	uint32_t id;
	const char *names[4]; /* provider, module, function, name; "" if none */
	const struct provider *pv;
	const char *const *argtypes; /* D types of args[], NULL-terminated; NULL if untyped (args[] is refused) */
	const char *argnames;        /* names of args[], "fd,buf,count"; NULL if unknown */
	int64_t param;               /* the provider's own: rate, … */
};

/* Returns whether it is an Erlang function by name: arg0 to arg2 are process, function and depth, and args[] are terms
 * of their own, the function's arguments or results. */
bool probe_has_terms(const struct probe *p);

/* What is known about a probe's args[]. */
struct probe_args {
	const char *const *types; /* as in struct probe */
	const char *names;
	const char *source; /* where it comes from, if that is worth saying; or NULL */
};

/* A description as D writes it. Empty fields match all; globs allowed. */
struct pdesc {
	uint32_t id; /* or 0 */
	const char *names[4];
};

struct probes;
struct pv_run; /* a provider's own state while tracing */

/* A probe that clauses are bound to. */
struct pv_bound {
	const struct probe *probe;
	unsigned index; /* for firing.probe */
};

/* What a provider starts. */
struct pv_start {
	const struct provider *pv;
	struct engine *engine;
	const struct engine_ops *ops;
	unsigned nshards;             /* of the engine */
	const struct pv_bound *bound; /* its bound probes; gone after the call */
	unsigned nbound;
	struct pv_run *run; /* set by start() for stop(); NULL if there is nothing to stop */
};

/* Text about probes of a provider. */
struct pv_text {
	const char *name; /* of probes; NULL ends a table */
	const char *text;
};

/*
 * The life of a provider: probes are listed (provide, on_demand, alias), the engine is told which clauses they have
 * (bind), then start() makes the bound ones fire, until stop().
 */
struct provider {
	const char *name;
	bool
	    kernel; /* the probes fire on the kernel engine only. In a build without it there is nothing but the name */
	/* Adds all probes that always exist; NULL if there are none. */
	bool (*provide)(struct probes *ps, const struct provider *pv);
	/* Adds the probes that a description without globs in its name asks for (tick-5s); NULL if never. `why` is
	 * set if the description belongs to this provider but makes no sense. */
	bool (*on_demand)(struct probes *ps, const struct provider *pv, const struct pdesc *d, struct why *why);
	/* Returns whether a description may be this provider's. If NULL, it is if the description's first field
	 * matches `name` and its last is literal. */
	bool (*claims)(struct probes *ps, const struct pdesc *d);
	/* For a description whose first field is not a provider's name but stands for several of this provider's.
	 * Returns what they match, in buf or elsewhere, or NULL if it is not such a description. May be NULL. */
	const char *(*alias)(const struct pdesc *d, char *buf, size_t len);
	/* For a description that matches nothing and names no provider: the one of this provider that was probably
	 * meant, in memory of the arena, or NULL. May be NULL. */
	const char *(*meant)(struct probes *ps, const struct pdesc *d);
	/* Makes the bound probes fire on the engine; NULL if only the handle fires them (BEGIN, END). `why` may stay
	 * empty if memory runs out. What a provider attaches in the kernel belongs to the engine, which closes it
	 * when it stops. */
	bool (*start)(struct pv_start *s, struct why *why);
	/* After this returns no firing of this provider's probes is running or will come. NULL if start() sets no
	 * run. */
	void (*stop)(struct pv_run *run);
	/* Asks that it comes to an end. Returns whether stop() would not have to wait for a firing. NULL if nobody
	 * asks. */
	bool (*ends)(struct pv_run *run);
	/* Knows more than `a`, which is what the probe says itself, but takes time to find out; NULL if there is
	 * nothing to add. */
	void (*args)(struct probes *ps, const struct probe *p, struct probe_args *a);
	const char *stability; /* "Evolving/Evolving/Common", shown by -v */
	/* Names of args[], "fd,buf,count", for probes that do not have them themselves: the first row whose name (a
	 * glob) fits counts. NULL if unknown. */
	const struct pv_text *argnames;
	/* Probes that DTrace documents and that are not here, and why; or NULL. */
	const struct pv_text *absent;
};
/* All functions below return NULL or false if memory runs out. */
struct probes *probes_new(void);
void probes_free(struct probes *ps);
struct probe *probe_add(struct probes *ps, const struct provider *pv, const char *const names[4],
    const char *const *argtypes, int64_t param);
/* Describes the args[] of one probe; may read files of the kernel. The result lives as long as the probes. */
struct probe_args probes_args(struct probes *ps, const struct probe *p);
unsigned probes_count(const struct probes *ps);
const struct probe *probe_by_id(const struct probes *ps, uint32_t id);

/* Calls fn for each probe that matches, in order of id, after creating on-demand ones. Returns the number of
 * matches, or -1 with `why`. fn may be NULL. */
int probes_match(
    struct probes *ps, const struct pdesc *d, void (*fn)(void *arg, const struct probe *p), void *arg, struct why *why);
/* Returns the first probe with exactly these four names, or NULL; returns whether there is one. */
const struct probe *probes_find(const struct probes *ps, const struct pdesc *d);
bool probes_has(const struct probes *ps, const struct pdesc *d);
/* Memory that lives as long as the probes. */
struct arena *probes_arena(struct probes *ps);
/* The node whose probes the erlang provider lists, or NULL. See provider/erlang.h. */
struct erlang_link;
const struct erlang_link *probes_erlang(const struct probes *ps);
void probes_set_erlang(struct probes *ps, const struct erlang_link *link);
/* Returns whether probes were already made for a description with these words, and remembers it. So processes are
 * looked at once for each description, not each time that it is matched. */
bool probes_asked(struct probes *ps, const struct pdesc *d);
/* A provider's own state, kept with the probes: NULL at first, in memory of the arena. */
void **probes_state(struct probes *ps, const struct provider *pv);
/* Tells whoever holds a process back to let it load its program now, because its probes are to be found. */
void probes_ready(struct probes *ps, int64_t pid);
void probes_set_ready(struct probes *ps, void (*fn)(void *arg, int64_t pid), void *arg);
/* Looking for probes ends as soon as any thread sets *stop: probes_match() then fails, and providers leave their
 * loops when probes_stopped() says so. The flag must outlive the probes. */
void probes_set_stop(struct probes *ps, const atomic_bool *stop);
bool probes_stopped(const struct probes *ps);
/* From now on there are no probes of providers that need the kernel engine. The error for a script that asks for one
 * is `why`, which must outlive the probes. */
void probes_deny_kernel(struct probes *ps, const char *why);
/* Reports what was left out, such as a file that would take too long. */
void probes_note(struct probes *ps, const char *text);
void probes_set_note(struct probes *ps, void (*fn)(void *arg, const char *text), void *arg);
/* DTrace's globs: * ? [a-z] [!a] and backslash. An empty pattern matches all. */
bool probe_glob(const char *pattern, const char *s);
/* Sets what an on-demand provider considers nearest to the last description without a match; copied. NULL for
 * nothing. */
void probes_set_near(struct probes *ps, const char *text);
/* The same, as a sentence that says why there is none and what to do; copied. */
void probes_set_hint(struct probes *ps, const char *text);
const char *probes_hint(const struct probes *ps);
/* DTrace's tag for why the last description has no match, a constant; D_PDESC_ZERO unless a provider knows better. */
void probes_set_tag(struct probes *ps, const char *tag);
const char *probes_tag(const struct probes *ps);
/* Whether probes may be made for what does not exist yet and may come while tracing (-Z). */
void probes_set_later(struct probes *ps, bool later);
bool probes_later(const struct probes *ps);
/* Returns the existing probe name, provider, … nearest to what was written, for "did you mean", or NULL if none is
 * near. */
const char *probes_near(struct probes *ps, const struct pdesc *d);
/* Lists the names that fit a description's other fields, as a hint in `text`. Returns NULL if there are none, or no
 * provider. */
const char *probes_siblings(struct probes *ps, const struct pdesc *d, char *text, size_t size);

extern const struct provider *const provider_table[]; /* of list.h, NULL-terminated */
#define X(name) extern const struct provider provider_##name;
PROVIDERS(X)
KERNEL_PROVIDERS(X)
#undef X

#endif
