/*
 * The erlang provider's view of a node: what it needs to know to list probes.
 * Without one there are no erlang probes.
 */
#ifndef ET_PROVIDER_ERLANG_H
#define ET_PROVIDER_ERLANG_H

#include "provider/provider.h"

struct erlang_link {
	int64_t os_pid; /* the provider's name is erlang<os_pid>; 0 for several nodes: it is erlang */
	void *ctx;
	/* Calls fn with module and function/arity of each function of the node that matches two globs. */
	bool (*functions)(void *ctx, const char *module, const char *function,
	    bool (*fn)(void *arg, const char *module, const char *function), void *arg, struct why *why);
};

/* Adds the node's probes. The link must live as long as the probes. Returns false if there is no memory. */
bool erlang_attach(struct probes *ps, const struct erlang_link *link);
/* Returns why a probe cannot fire through the tracer ("needs the kernel engine: …", "never fires: …"), or NULL. */
const char *erlang_refusal(const struct probe *p);

/* Returns the names of its arguments, joined by commas (erlang_probes.h), or NULL if unknown. */
const char *erlang_arg_names(const struct probe *p);

/*
 * Returns the D types of the arguments of the same probe as a USDT probe of a VM built with them, which has no terms.
 * Returns NULL if it is not one of them or there is no memory.
 */
const char *const *erlang_usdt_types(struct probes *ps, const char *name);
/* Whether `other` is another spelling of the probe. */
bool erlang_is_alias(const char *name, const char *other);
/* Returns whether a node's tracer gives a probe of this name or spelling. */
bool erlang_tracer_has(const char *name);

#endif
