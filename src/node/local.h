/* The Erlang nodes among the processes of this machine, according to epmd, /proc and their command lines. */
#ifndef ET_NODE_LOCAL_H
#define ET_NODE_LOCAL_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct local_node {
	char alive[256], name[512]; /* name: with its host if that is known; a node can be attached to without it */
	unsigned port;
	pid_t pid; /* 0 if not found */
};

struct local_nodes {
	struct local_node *at; /* by name; the caller frees it */
	unsigned n;
	bool failed; /* memory ran out: there are more */
};

/* Finds all of them. Returns false if there is no epmd, so that no node has a name. */
bool local_nodes(struct local_nodes *all);

/* Finds the VMs among the descendants of a process. Returns how many there are; at most `max` are stored. */
unsigned local_vms_below(pid_t pid, pid_t *vms, unsigned max);
/* Returns the nearest ancestor of a process that is a VM, or 0. */
pid_t local_vm_above(pid_t pid);

#endif
