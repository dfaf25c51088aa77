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
	const char *names[4]; /* provider, module, function, name; "" where none */
	const struct provider *pv;
	const char *const *argtypes; /* D types of args[], NULL-terminated; NULL: untyped (args[] is refused) */
	const char *argnames;        /* what args[] are called, "fd,buf,count"; NULL: not known */
	int64_t param;               /* the provider's own: rate, … */
};

/* What is known of a probe's args[]. */
struct probe_args {
	const char *const *types; /* as in struct probe */
	const char *names;
	const char *source; /* who tells, where that is worth saying; or NULL */
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
	struct pv_run *run; /* set by start(): for stop(). NULL: there is nothing to stop. */
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
	/* Adds all probes that always exist; NULL: there are none. */
	bool (*provide)(struct probes *ps, const struct provider *pv);
	/* Adds the probes that a description without globs in its name asks for (tick-5s); NULL: never.
	 * `why` is set when the description is of this provider but makes no sense. */
	bool (*on_demand)(struct probes *ps, const struct provider *pv, const struct pdesc *d, struct why *why);
	/* Whether a description may be this provider's; NULL: when the description's first field matches `name` and its
	 * last is literal. */
	bool (*claims)(struct probes *ps, const struct pdesc *d);
	/* A description whose first field is not a provider's name but stands for several of this provider's: what
	 * they match, in buf or elsewhere; NULL: it is none. The whole may be NULL. */
	const char *(*alias)(const struct pdesc *d, char *buf, size_t len);
	/* Makes the bound probes fire on the engine; NULL: nobody fires them but the handle itself (BEGIN, END).
	 * `why` may stay empty when memory runs out. What a provider attaches in the kernel belongs to the engine,
	 * which closes it when it stops. */
	bool (*start)(struct pv_start *s, struct why *why);
	/* No firing of this provider's probes is under way or will come after this returns. NULL: start() sets no run.
	 */
	void (*stop)(struct pv_run *run);
	/* Knows better than `a`, which is what the probe says itself, but takes time to find out; NULL: nothing to add.
	 */
	void (*args)(struct probes *ps, const struct probe *p, struct probe_args *a);
	const char *stability; /* "Evolving/Evolving/Common", shown by -v */
	/* What args[] are called, "fd,buf,count", where probes do not say it themselves: the first row holds whose
	 * name, a glob, fits. NULL: not known. */
	const struct pv_text *argnames;
	/* Probes that DTrace documents and that are not here, and why; or NULL. */
	const struct pv_text *absent;
};
/* Memory runs out: NULL or false, everywhere below. */
struct probes *probes_new(void);
void probes_free(struct probes *ps);
struct probe *probe_add(struct probes *ps, const struct provider *pv, const char *const names[4],
    const char *const *argtypes, int64_t param);
/* Of the args[] of one probe; may read files of the kernel. What it points at lives as long as the probes. */
struct probe_args probes_args(struct probes *ps, const struct probe *p);
unsigned probes_count(const struct probes *ps);
const struct probe *probe_by_id(const struct probes *ps, uint32_t id);

/* Calls fn for each probe that matches, in order of id, creating on-demand ones first; the number of matches or
 * -1 with `why`. fn may be NULL. */
int probes_match(
    struct probes *ps, const struct pdesc *d, void (*fn)(void *arg, const struct probe *p), void *arg, struct why *why);
/* The first probe with exactly these four names, or NULL; whether there is one. */
const struct probe *probes_find(const struct probes *ps, const struct pdesc *d);
bool probes_has(const struct probes *ps, const struct pdesc *d);
/* Memory that lives as long as the probes. */
struct arena *probes_arena(struct probes *ps);
/* The node whose probes the erlang provider lists; NULL: none. See provider/erlang.h. */
struct erlang_link;
const struct erlang_link *probes_erlang(const struct probes *ps);
void probes_set_erlang(struct probes *ps, const struct erlang_link *link);
/* Whether probes were made for a description with these words before; from then on they were. Processes are looked
 * at once for each description, not each time that it is matched. */
bool probes_asked(struct probes *ps, const struct pdesc *d);
/* A provider's own, kept with the probes: NULL at first, in memory of the arena. */
void **probes_state(struct probes *ps, const struct provider *pv);
/* Who holds a process back lets it load its program now: its probes are to be found. */
void probes_ready(struct probes *ps, int64_t pid);
void probes_set_ready(struct probes *ps, void (*fn)(void *arg, int64_t pid), void *arg);
/* Looking for probes ends as soon as *stop is set, by any thread: probes_match() fails then, and providers leave their
 * loops when probes_stopped() says so. The flag must outlive the probes. */
void probes_set_stop(struct probes *ps, const atomic_bool *stop);
bool probes_stopped(const struct probes *ps);
/* From now on there are no probes of providers that need the kernel engine; who asks for one is told `why`, which must
 * outlive the probes. */
void probes_deny_kernel(struct probes *ps, const char *why);
/* Tells of what was left out, such as a file that would take too long. */
void probes_note(struct probes *ps, const char *text);
void probes_set_note(struct probes *ps, void (*fn)(void *arg, const char *text), void *arg);
/* DTrace's globs: * ? [a-z] [!a] and backslash. An empty pattern matches all. */
bool probe_glob(const char *pattern, const char *s);
/* What an on-demand provider knows to be nearest to what the last description without a match asks for; copied. NULL:
 * nothing. */
void probes_set_near(struct probes *ps, const char *text);
/* The same, as a sentence that says why there is none and what to do; copied. */
void probes_set_hint(struct probes *ps, const char *text);
const char *probes_hint(const struct probes *ps);
/* DTrace's tag for why the last description has no match, a constant; D_PDESC_ZERO unless a provider knows better. */
void probes_set_tag(struct probes *ps, const char *tag);
const char *probes_tag(const struct probes *ps);
/* Whether probes may be made for what is not there yet, and may come while tracing (-Z). */
void probes_set_later(struct probes *ps, bool later);
bool probes_later(const struct probes *ps);
/* The existing probe name, provider, … nearest to what was written, for "did you mean"; NULL when none is near. */
const char *probes_near(struct probes *ps, const struct pdesc *d);
/* What names there are of what a description's other fields match, as a hint in `text`; NULL: nothing, or no provider.
 */
const char *probes_siblings(struct probes *ps, const struct pdesc *d, char *text, size_t size);

extern const struct provider *const provider_table[]; /* of list.h, NULL-terminated */
#define X(name) extern const struct provider provider_##name;
PROVIDERS(X)
KERNEL_PROVIDERS(X)
#undef X

#endif
