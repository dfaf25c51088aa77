/*
 * The functions that the JIT compiler of an Erlang VM has made, as the VM itself tells debuggers.
 *
 * Every VM with the JIT keeps a list for gdb (its "JIT compilation interface"): an entry for each loaded module with
 * the place and the name of each function, and one entry about the VM itself. The list starts at a descriptor in the
 * VM's data. No symbol is needed: the descriptor is found by what it looks like and by a list behind it that is right
 * from its first to its last byte. An entry that is not right is left out whole, so its code has no names; it never
 * gets wrong ones.
 *
 * Modules are loaded, replaced and purged while addresses are collected, and code of one may come to where another's
 * was. So modules are kept once they were seen. An address that belonged to several since the first look has a name
 * only if all of them call it the same.
 *
 * The bytes are another process's, so everything is checked and has a limit.
 */
#ifndef ET_SYM_JIT_H
#define ET_SYM_JIT_H

#include "sym/budget.h"
#include "sym/tables.h"

/* How to read the memory of the process. Returns false if not all of it can be read. */
struct jit_memory {
	bool (*read)(void *arg, uint64_t at, void *to, size_t n);
	void *arg;
};

struct jit_entry;
struct jit_span {
	uint64_t start, end;
};

struct jit {
	uint64_t descriptor;  /* its address; 0 if it was not found */
	uint64_t normal_exit; /* the return address below the first frame of every Erlang process */
	bool has_frame_pointers;
	struct symtable names;     /* rows of all modules that were seen */
	struct jit_entry *entries; /* those that are in the list now, by address */
	size_t nentries;
	struct jit_span *changed; /* code that belonged to several modules since the first look */
	size_t nchanged;
	uint64_t head[4]; /* the first entry when it was last read, to see whether something has changed */
	uint64_t first;   /* its address */
	bool was_read;
	unsigned nreads; /* how often the list was read */
};

/* Looks for the descriptor in n bytes of the program's data, a copy of what is at address `at`. Returns whether it is
 * there; then the list has been read. */
bool jit_look(struct jit *b, const struct jit_memory *m, const void *data, size_t n, uint64_t at, struct spending *sp);
/* Reads what has changed since the last time. Returns false if the list cannot be read; what was known stays. */
bool jit_follow(struct jit *b, const struct jit_memory *m, struct spending *sp);
/* Returns the function that an instruction or a return address is in, or NULL. */
const struct symrow *jit_find(const struct jit *b, uint64_t addr);
void jit_free(struct jit *b);

#endif
