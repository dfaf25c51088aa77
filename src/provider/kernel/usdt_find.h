/*
 * The USDT probes that exist: in the files that processes have mapped with code, and in files by their paths.
 *
 * If no process is named, every process on the machine is looked at, also those of hostile users. So each user has a
 * budget (sym/budget.h), and so have all together. What does not fit is left out, and probes_note() reports it. Root's
 * processes and our own come first. A named process has a large budget.
 *
 * Everything is in the probes' arena and lives as long as they do.
 */
#ifndef ET_PROVIDER_KERNEL_USDT_FIND_H
#define ET_PROVIDER_KERNEL_USDT_FIND_H

#include "base/strmap.h"
#include "engine/kernel/kern.h"
#include "provider/provider.h"
#include "sym/syms.h"
#include "arch/usdt.h"

/* A place of a probe in a file. */
struct site {
	struct site *next;
	uint64_t off, ref;
	unsigned nargs;
	struct usdt_arg args[RT_NARGS];
	const char *text; /* of the arguments */
};

/* A probe of a file, in whatever process. */
struct usdt_entry {
	struct usdt_entry *next;
	const struct file *file;
	const char *provider, *function, *name;
	struct site *sites;
};

/* A file with notes. */
struct file {
	struct file *next; /* in its slot */
	uint64_t dev, ino;
	const char *path, *base;
	struct usdt_entry *entries, **last;
	unsigned nentries;
	const struct budget *left_by; /* the budget that it did not fit into; NULL if it did. Only for comparing */
	int64_t mapped_by;            /* the last process that it was found in */
};

/* A file with probes in a process. */
struct mapped {
	struct mapped *next;
	int64_t pid;
	struct sym_map map;
	const struct file *file;
	bool is_trusted; /* root's, our own, or named */
};

/* A program of Erlang's VM that has no probes. */
struct vm {
	struct vm *next;
	int64_t pid;
	const char *path;
};

struct usdt_find {
	struct probes *ps;
	struct file **slots; /* all files that were looked at, by their numbers */
	unsigned nslots, nfiles;
	struct mapped *mapped, **last;
	struct vm *vms;
	bool all; /* every process was looked at */
	unsigned npids;
	int64_t pids[64]; /* looked at alone */
	unsigned nnotes;  /* reported what was left out */
	unsigned foreign; /* probes in processes that are not trusted */
};

/* Returns NULL if there is no memory. */
struct usdt_find *usdt_find_new(struct probes *ps);
/* Looks at one process, or at all (0), once per handle. Returns false if there is no memory. */
bool usdt_look(struct usdt_find *f, int64_t pid);
/* Reports something that was left out. is_trusted: the process had the large budget, so naming it does not help. */
void usdt_leave_out(struct usdt_find *f, const char *what, int64_t pid, bool is_trusted, const char *why);
/* A file by its path. */
const struct file *usdt_file(struct usdt_find *f, const struct sym_map *m);

#endif
