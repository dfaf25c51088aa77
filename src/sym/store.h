/*
 * What a struct syms keeps: processes with their mappings, the files behind those, and perf maps. Only for the sources
 * of sym/. All of it is under the lock.
 *
 * All of it is about processes that anybody may start, so everything has a limit. When a limit is reached, room is
 * taken from whoever used the most: files that nobody maps any more go first, then what ended processes had, then the
 * largest process of the user with the most mappings. A process whose mappings were taken shows bare addresses from
 * then on.
 */
#ifndef ET_SYM_STORE_H
#define ET_SYM_STORE_H

#include "sym/jit.h"
#include "sym/syms.h"
#include "sym/tables.h"

#include <pthread.h>
#include <time.h>

#ifdef ET_TINY
enum { NSLOTS = 4, FIRST_MAPS = 1, MAX_GONE = 4, MAX_OBJECTS = 64, MAX_FILES = 48 };
#else
enum { NSLOTS = 1024, FIRST_MAPS = 16, MAX_GONE = 4096, MAX_OBJECTS = 8192, MAX_FILES = 2048 };
#endif
enum {
	MAX_MAPS = 8192,         /* mappings of a process */
	MAX_ALL_MAPS = 1 << 20,  /* of all */
	MAX_USERS = 64,          /* users with their own budget; the others share one */
	MAX_PERFMAP = 64 << 20,  /* bytes of one file */
	MAX_PERFMAPS = 192 << 20 /* of all that are kept */
};

/* A file that is mapped somewhere, and its symbols once somebody asked for them. */
struct object {
	struct object *next; /* in its slot */
	uint64_t dev, ino;
	char *path;
	const char *base; /* the last part of the path */
	enum { UNREAD, READ, NONE } state;
	struct elf elf;
	size_t bytes;
	uint64_t used;  /* time of the last use */
	uint64_t again; /* ns when to try again a file that did not fit into its budget; 0 for never */
	unsigned nmaps; /* how many mappings it has */
};

struct map {
	uint64_t start, end, off;
	struct object *obj; /* NULL if there is no file */
};

struct process {
	struct process *next; /* in its slot */
	int64_t pid;
	struct map *maps; /* by start, without overlaps */
	unsigned n, cap;
	unsigned nfiles; /* mappings with an object */
	bool gone;
	bool is_named; /* somebody asked for this one */
	bool is_taken; /* its mappings were taken for others, and no more are kept */
	bool has_user; /* `user` is known */
	struct proc_user user;
	uint64_t gone_at; /* clock */
	uint64_t read_at; /* ns; 0 for never */
	struct symtable perf;
	size_t perf_bytes;
	uint64_t perf_dev, perf_ino; /* of the file when it was read */
	off_t perf_size;             /* -1 for never */
	struct timespec perf_time;
	uint64_t perf_looked; /* ns; 0 for never */
	uint64_t perf_used;   /* clock */
	struct jit vm;        /* if it is an Erlang VM */
	uint64_t vm_looked;   /* ns; 0 for never */
	bool is_vm;           /* it runs a program with the name of one */
	struct sym_vm told;   /* what syms_follow() has told about it */
};

/* A user who has processes here, and what may be spent on them. */
struct symuser {
	uid_t uid;
	bool is_trusted;
	uint64_t since; /* ns */
	struct budget budget;
};

struct syms {
	pthread_mutex_t lock;
	struct process *slots[NSLOTS];
	unsigned ngone;
	unsigned nmaps; /* sum over all processes */
	struct object *objects[NSLOTS];
	unsigned nobjects;
	size_t bytes, perf_bytes;
	uint64_t clock;
	struct symuser users[MAX_USERS];
	unsigned nusers, nnotes;
	struct slow *slow; /* NULL if none was needed yet */
	void (*note)(void *arg, const char *text);
	void *notearg;
	struct symtable kernel;
	bool kernel_read;
	struct elf vdso;
	bool vdso_read;
	char module[256], symbol[1024]; /* the result of the last lookup */
};

struct process **store_slot(struct syms *s, int64_t pid);
/* Returns NULL if there is no memory. */
struct process *store_process(struct syms *s, int64_t pid);
void store_forget(struct syms *s, struct process *p); /* its mappings and its perf map, because it is another program
						       * now */
void store_exited(struct syms *s, struct process *p);
/* Reads who runs the process, while it exists. */
void store_user(struct process *p);
void store_map(struct syms *s, struct process *p, const struct sym_map *m);
void store_unmap_all(struct syms *s, struct process *p);
void store_copy_maps(struct syms *s, struct process *to, const struct process *from);
void store_free(struct syms *s);

/* What may be spent on the files and mappings of a process. */
struct budget *store_budget(struct syms *s, struct process *p);
/* Reports what was left out. */
void store_note(struct syms *s, const char *what, int64_t pid, const char *why);
/* Frees symbols of files that nobody asked for lately. */
void store_make_room(struct syms *s, const struct object *keep);

/* Reads the perf map of a process, unless ours is up to date or was checked a moment ago. */
void store_perfmap(struct syms *s, struct process *p);
/* Returns whether a program of this path is an Erlang VM. */
bool store_is_vm(const char *path);
/* If the process is an Erlang VM, reads which code it has, unless that was done a moment ago. */
void store_vm(struct syms *s, struct process *p);

#endif
