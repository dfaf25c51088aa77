/*
 * Sites: where events of the VM leave it for consumers in the kernel. They are places in this library's code at which
 * the kernel can put breakpoints (uprobes).
 *
 * There are two kinds. Each probe of the erlang provider has a USDT site, with a note in the ELF file and a semaphore:
 * for bpftrace, perf and others that attach by themselves. The hub's process looks at the semaphores and switches on
 * what the raised ones need. And each script has a site for its events, for a script that runs on the kernel engine and
 * has erlang probes: its agent switches on what it needs, as for any other script, and its program in the kernel gets
 * the number of the probe with each event.
 *
 * A site costs nothing while nobody subscribed to its event, because then it is not called.
 */
#ifndef ERLTRACE_SITES_H
#define ERLTRACE_SITES_H

#include "object/node_event.h"

#include "event.h"

/* Made by sites/make_sites.c. */
struct usdt_site {
	void (*fire)(const uint64_t *args);
	const volatile uint16_t *semaphore; /* both are NULL if the tracer cannot give the probe */
};
extern const struct usdt_site et_sites[ERL_NROWS];
extern void (*const et_events[HUB_SCRIPTS])(const struct node_event *e);

/* Fires the event for a script whose clauses are not here. */
void site_fire(struct event *ev, const struct script *s, const struct sub *sub);
/* Tells a script in the kernel that a process has ended. */
void site_forget(const struct script *s, ERL_NIF_TERM process);

/* Places of node/protocol.h, of a script; its row may be NULL. */
ERL_NIF_TERM site_places(ErlNifEnv *env, const struct script *s);

/* raised() -> {[Name], Over :: boolean()}: the probes whose semaphores are up; whether the sites cost too much. */
ERL_NIF_TERM sites_raised(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[]);
/* sites([Name]) -> {ok | error, Wants}: from now on these fire. Wants: see wants.h */
ERL_NIF_TERM sites_set(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[]);
/* The library is about to go: with hub.manage held. */
void sites_unload(struct hub *h);

#endif
