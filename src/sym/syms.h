/*
 * Names for addresses: of the kernel, and of every process by its mappings, the ELF files behind them and perf maps.
 *
 * Addresses are named when they are shown, often after the process has ended. So the mappings of processes are
 * kept: read from /proc when somebody asks for them, and told by a watcher (engine/kernel/watch.c) for those that
 * come and go meanwhile. What is kept is limited; of ended processes the oldest go first.
 *
 * Any thread may call any of these.
 */
#ifndef ET_SYM_SYMS_H
#define ET_SYM_SYMS_H

#include "sym/elf.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/types.h>

struct syms;
struct syms *syms_new(void); /* NULL: no memory */
void syms_free(struct syms *s);

/* Tells of symbols that were left out, because their file is too much for what may be spent on it. Before the first
 * lookup; called by whoever looks up. */
void syms_on_note(struct syms *s, void (*fn)(void *arg, const char *text), void *arg);

/* As et_symbol_f of erltrace.h; pid 0 is the kernel. *module "": JIT code, which is in no file. *symbol NULL: only
 * the module is known. The strings are the handle's, until the next call by the same thread of its owner. */
bool syms_lookup(struct syms *s, int64_t pid, uint64_t addr, const char **module, const char **symbol, uint64_t *off);
/* The same address for all of one symbol, or of one module: what aggregations key on. `addr` when it is not known. */
uint64_t syms_start_of(struct syms *s, int64_t pid, uint64_t addr, bool module);

/* Reads the mappings of a process that the user has named now, of all processes. */
void syms_catch(struct syms *s, int64_t pid);
void syms_catch_all(struct syms *s);

/* Only mappings with code. */
struct sym_map {
	uint64_t start, end, off; /* off: of start in the file */
	uint64_t dev, ino;        /* ino 0: no file */
	const char *path;
};
/* What a watcher sees. */
void syms_mapped(struct syms *s, int64_t pid, const struct sym_map *m);
void syms_forked(struct syms *s, int64_t pid, int64_t parent);
void syms_execed(struct syms *s, int64_t pid);
void syms_exited(struct syms *s, int64_t pid);

/* The mappings with code of a process, from /proc now; 0 or errno. Paths live during the call. Not limited to a
 * struct syms: also for providers. Ends early when sp, which may be NULL, has no time left. */
int proc_maps(int64_t pid, struct spending *sp, bool (*fn)(void *arg, const struct sym_map *m), void *arg);
/* One line of /proc/PID/maps (changed); false: no mapping with code. */
bool proc_maps_line(char *line, struct sym_map *m);
/* Opens the file of a mapping as that process sees it, by slow_open(); -1 when it cannot be had. sp may be NULL. */
int proc_open(int64_t pid, const struct sym_map *m, struct spending *sp);
/* Who runs a process. */
struct proc_user {
	uid_t real, effective;
	int64_t inner;  /* its number in its own namespace */
	bool is_inside; /* that is another one: it is in a container, where anybody may be root */
};
/* False: it has ended. Not by the owner of /proc/PID, which is root for who asks the kernel for it (PR_SET_DUMPABLE).
 */
bool proc_user(int64_t pid, struct proc_user *u);
/* Root's, or our own. */
bool proc_is_trusted(const struct proc_user *u);
/* Reads a file that the process (0: nobody) maps, as elf_read_fd() does; the symbols are those of its separate debug
 * file when it was stripped and there is one. */
bool proc_elf(struct elf *e, int64_t pid, int fd, unsigned want, struct spending *sp, struct why *why);
/* All processes, threads not. */
void proc_each(void (*fn)(void *arg, int64_t pid), void *arg);

#endif
