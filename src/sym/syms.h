/*
 * Names for addresses: of the kernel, and of every process from its mappings, the ELF files behind them and perf maps.
 *
 * Addresses get their names when they are shown, often after the process has ended. So the mappings of processes are
 * kept. They are read from /proc when somebody asks for them, and a watcher (engine/kernel/watch.c) reports those that
 * come and go meanwhile. What is kept is limited; the oldest ended processes go first.
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
struct syms *syms_new(void); /* NULL if there is no memory */
void syms_free(struct syms *s);

/* fn is told about symbols that were left out because their file costs more than may be spent on it. Set it before
 * the first lookup. It is called by the thread that looks up. */
void syms_on_note(struct syms *s, void (*fn)(void *arg, const char *text), void *arg);

/* Like et_symbol_f of erltrace.h; pid 0 is the kernel. *module is "" for JIT code, which is in no file. *symbol is
 * NULL if only the module is known. The strings are valid until the next call by the same thread. */
bool syms_lookup(struct syms *s, int64_t pid, uint64_t addr, const char **module, const char **symbol, uint64_t *off);
/* Returns the same address for all addresses of one symbol, or of one module: aggregations use it as key. Returns
 * `addr` if it is unknown. */
uint64_t syms_start_of(struct syms *s, int64_t pid, uint64_t addr, bool module);

/* Read the mappings now: of a process that the user has named, or of all processes. */
void syms_catch(struct syms *s, int64_t pid);
void syms_catch_all(struct syms *s);
/* The same for a process that nobody has named. */
void syms_look(struct syms *s, int64_t pid);

/* What is known of an Erlang VM: where its JIT compiler puts code, which part of that changes from one Erlang process
 * to the next, and the return address below the first frame of every Erlang process. */
enum { SYM_VM_SPANS = 4 };
struct sym_span {
	uint64_t start, end;
};
struct sym_vm {
	uint64_t normal_exit;
	struct sym_span scheduling;
	struct sym_span spans[SYM_VM_SPANS];
};
/* Code of a file that the VM maps, and how to walk through it. */
enum { SYM_VM_FILES = 32 };
struct unwind_row;
struct sym_code {
	uint64_t start, end, base; /* base: what to subtract from an address to get the file's */
	uint64_t dev, ino;
	const struct unwind_row *rows; /* valid during the call */
	size_t nrows;
};
typedef void sym_vm_f(void *arg, int64_t pid, const struct sym_vm *vm, const struct sym_code *files, unsigned nfiles);
/* Reads the mappings of all Erlang VMs now. */
void syms_catch_vms(struct syms *s);
/* Calls fn for each Erlang VM that is new, or whose code is in more places than when fn was called last. Code of VMs
 * comes and goes, so call this about once a second: then addresses get the names that they had. */
void syms_follow(struct syms *s, sym_vm_f *fn, void *arg);

/* Only mappings with code. */
struct sym_map {
	uint64_t start, end, off; /* off: offset of start in the file */
	uint64_t dev, ino;        /* ino is 0 if there is no file */
	const char *path;
};
/* For a watcher, which reports what it sees. */
void syms_mapped(struct syms *s, int64_t pid, const struct sym_map *m);
void syms_forked(struct syms *s, int64_t pid, int64_t parent);
void syms_execed(struct syms *s, int64_t pid);
void syms_exited(struct syms *s, int64_t pid);

/* Reads the mappings with code of a process from /proc now. Returns 0 or errno. Paths are valid during the call. It
 * needs no struct syms, so providers use it too. It ends early if sp, which may be NULL, has no time left. */
int proc_maps(int64_t pid, struct spending *sp, bool (*fn)(void *arg, const struct sym_map *m), void *arg);
/* Parses one line of /proc/PID/maps, and changes it. Returns false if it is not a mapping with code. */
bool proc_maps_line(char *line, struct sym_map *m);
/* Opens the file of a mapping as that process sees it, by slow_open(). Returns -1 if it cannot. sp may be NULL. */
int proc_open(int64_t pid, const struct sym_map *m, struct spending *sp);
/* Who runs a process. */
struct proc_user {
	uid_t real, effective;
	int64_t inner;  /* its pid in its own namespace */
	bool is_inside; /* the namespace is another one: it is in a container, where anybody may be root */
};
/* Returns false if it has ended. It does not use the owner of /proc/PID, because a process can make root the owner
 * (PR_SET_DUMPABLE). */
bool proc_user(int64_t pid, struct proc_user *u);
/* Returns whether the process is root's or our own. */
bool proc_is_trusted(const struct proc_user *u);
/* Reads a file that the process (0 for none) maps, like elf_read_fd(). If it was stripped and has a separate debug
 * file, the symbols come from that. */
bool proc_elf(struct elf *e, int64_t pid, int fd, unsigned want, struct spending *sp, struct why *why);
/* Calls fn for all processes, but not for threads. */
void proc_each(void (*fn)(void *arg, int64_t pid), void *arg);

#endif
