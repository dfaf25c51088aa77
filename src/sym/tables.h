/*
 * Tables of names by address that are not ELF's: the kernel's symbols, and the perf maps that JIT compilers write.
 */
#ifndef ET_SYM_TABLES_H
#define ET_SYM_TABLES_H

#include "sym/budget.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct symrow {
	uint64_t start, size;  /* size of the kernel's: 0, up to the next one */
	uint32_t name, module; /* offsets in text; module of the kernel's only */
	uint32_t seq;          /* line in the file */
};
struct symtable {
	struct symrow *rows; /* by start, then as they came */
	size_t n, cap;
	char *text;
	size_t len, room;
};

/* "START SIZE name" a line, hexadecimal. Adds to the table; false: no memory. Bad lines are left out. Ends early when
 * sp, which may be NULL, has no time left. */
bool perfmap_parse(struct symtable *t, const char *text, size_t len, struct spending *sp);
/* "ADDRESS TYPE name [module]" a line: /proc/kallsyms. */
bool kallsyms_parse(struct symtable *t, const char *text, size_t len);
void symtable_sort(struct symtable *t);
void symtable_free(struct symtable *t);
/* The row that covers the address: of several the one that came last. Size 0 reaches up to the next row. */
const struct symrow *symtable_find(const struct symtable *t, uint64_t addr);
/* A whole file of at most `most` bytes on the heap with a NUL after it; NULL with errno. */
char *sym_read_file(const char *path, size_t most, size_t *len);
/* The same of one that is open. */
char *sym_read_fd(int fd, size_t most, struct spending *sp, size_t *len);

#endif
