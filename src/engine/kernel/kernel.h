/* The kernel engine as other folders see it, in builds that have it (ET_WITH_KERNEL). */
#ifndef ET_ENGINE_KERNEL_KERNEL_H
#define ET_ENGINE_KERNEL_KERNEL_H

#include "engine/engine.h"

extern const struct engine_ops engine_kernel;
extern const struct engine_ops engine_kernel_node; /* the same, of a script that knows a node: kern_know_node() */

/* Returns whether this process has the capabilities that the kernel engine needs. */
bool kern_is_permitted(struct why *why);

/* watch.c: keeps the names of processes that come and go. Returns NULL if the kernel does not permit it. */
struct syms;
struct sym_map;
struct kern_watch;
struct kern_watch *kern_watch_start(
    struct syms *s, void (*mapped)(void *arg, int64_t pid, const struct sym_map *m), void *arg);
void kern_watch_flush(struct kern_watch *w); /* afterwards everything that has happened so far is known */
void kern_watch_stop(struct kern_watch *w);

/* From now on stacks of this Erlang VM are walked through Erlang's code. */
struct sym_vm;
struct sym_code;
void kern_know_vm(
    struct engine *engine, int64_t pid, const struct sym_vm *vm, const struct sym_code *files, unsigned nfiles);

/* uprobe.c: an Erlang node whose events and processes a script sees (object/node_event.h). */
struct kern_node {
	int64_t pid;            /* of its VM */
	uint64_t threads, name; /* addresses there */
	int seen;               /* kern_know_node() sets it: the map in which it shows its threads, or -1 */
	/* the script's site: where it is in its file */
	int fd;
	uint64_t off, key;
	const unsigned *probes;  /* bound ones */
	const uint32_t *numbers; /* of each in the node, plus one */
	unsigned n;
	struct engine *half; /* the script's half in the node: its names() tells what processes are called */
	const struct engine_ops *half_ops;
};
/* Before the engine starts: pid, threads, name and half. */
void kern_know_node(struct engine *e, struct kern_node *n);
/* When it runs: the rest. */
bool kern_attach_node(struct engine *e, const struct kern_node *n, struct why *why);

#endif
