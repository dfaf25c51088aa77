/*
 * Tables of names by address that are not from ELF files: the kernel's symbols, and the perf maps that JIT compilers
 * write.
 */
#ifndef ET_SYM_TABLES_H
#define ET_SYM_TABLES_H

#include "sym/budget.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct symrow {
	uint64_t start, size;  /* size is 0 for the kernel's symbols: they reach up to the next */
	uint32_t name, module; /* offsets in text; only the kernel's symbols have a module */
	uint32_t seq;          /* line in the file */
};
struct symtable {
	struct symrow *rows; /* by start, then in the order of the file */
	size_t n, cap;
	char *text;
	size_t len, room;
};

/* Parses lines "START SIZE name", hexadecimal, and adds them to the table. Returns false if there is no memory. Bad
 * lines are left out. It ends early if sp, which may be NULL, has no time left. */
bool perfmap_parse(struct symtable *t, const char *text, size_t len, struct spending *sp);
/* Parses lines "ADDRESS TYPE name [module]": /proc/kallsyms. */
bool kallsyms_parse(struct symtable *t, const char *text, size_t len);
/* Adds a row. symtable_sort() follows after the last one. Returns false if there is no memory. */
bool symtable_add(struct symtable *t, uint64_t start, uint64_t size, const char *name, size_t namelen);
void symtable_sort(struct symtable *t);
void symtable_free(struct symtable *t);
/* Returns the row that covers the address; of several, the one that came last. A row of size 0 reaches up to the
 * next row. */
const struct symrow *symtable_find(const struct symtable *t, uint64_t addr);
/* Returns a whole file of at most `most` bytes on the heap with a NUL after it, or NULL with errno. */
char *sym_read_file(const char *path, size_t most, size_t *len);
/* The same for an open file. */
char *sym_read_fd(int fd, size_t most, struct spending *sp, size_t *len);

#endif
