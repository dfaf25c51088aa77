/*
 * ELF files, as far as tracing needs them: which bytes of the file are mapped where, symbols, and USDT notes.
 *
 * Files are the traced processes', so any of them may be made by an enemy: everything is read by copying (a file
 * that shrinks meanwhile is a short read, no signal), every offset is checked against the file's size, one table of
 * symbols and one of exported symbols are read, and what they may cost is in a budget (budget.h). 64-bit little-endian
 * files only.
 *
 * An `struct elf` owns all that it points to, until elf_free().
 */
#ifndef ET_SYM_ELF_H
#define ET_SYM_ELF_H

#include "base/why.h"
#include "sym/budget.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { ELF_MAX_ID = 64 };

struct elf_load {
	uint64_t vaddr, off, filesz, memsz;
	bool exec, write;
};

enum elf_symkind { ELF_FUNC, ELF_IFUNC, ELF_OTHER }; /* OTHER: code without a type, as assemblers leave it */
struct elf_sym {
	uint64_t addr, size;
	uint32_t name; /* offset in strs */
	uint8_t kind, rank;
};

/* A USDT probe as the compiler noted it (.note.stapsdt). Addresses are of the file, adjusted for prelinking. */
struct elf_note {
	uint64_t pc, sem;              /* sem: 0: none */
	uint32_t provider, name, args; /* offsets in notestrs */
};

struct elf {
	uint64_t entry;
	bool fixed;             /* mapped where the file says (ET_EXEC) */
	bool has_symtab;        /* else it was stripped: what it exports is all there is */
	unsigned nid;           /* bytes of id */
	uint8_t id[ELF_MAX_ID]; /* the build's, by which its debug file is found */
	struct elf_load *loads;
	unsigned nloads;
	struct elf_sym *syms; /* by address; of several at one address the best name comes first */
	size_t nsyms;
	char *strs;
	size_t nstrs;
	struct elf_note *notes;
	size_t nnotes;
	char *notestrs;
	uint64_t *starts; /* of functions, ascending, of a file that was stripped: those that have no name too */
	size_t nstarts;
	uint32_t *index; /* of syms by name: position plus one; NULL: not made yet */
	size_t nindex;
};

enum elf_want { ELF_SYMS = 1, ELF_DATA = 2, ELF_NOTES = 4 }; /* DATA: with symbols of data (addresses in operands) */

/* False: not such a file, more than may be spent (sp->over), or no memory; `why` says it in words. Damaged parts are
 * left out. sp NULL: as much as it takes. */
bool elf_read_fd(struct elf *e, int fd, unsigned want, struct spending *sp, struct why *why);
bool elf_read_mem(struct elf *e, const void *mem, size_t len, unsigned want, struct why *why);
void elf_free(struct elf *e);
/* Takes over the symbols of the file that was kept when this one was stripped. False: it is of another build. */
bool elf_take_symbols(struct elf *e, struct elf *debug);

/* Between addresses of the file and offsets in it; false: it is in no loaded part. */
bool elf_addr_of(const struct elf *e, uint64_t off, uint64_t *addr);
bool elf_off_of(const struct elf *e, uint64_t addr, uint64_t *off);
/* The symbol that an address is in, or NULL. */
const struct elf_sym *elf_find(const struct elf *e, uint64_t addr);
/* Where the function begins that an address is in, when it has no symbol; false: not known. */
bool elf_start_of(const struct elf *e, uint64_t addr, uint64_t *start);
/* By name; NULL: none. */
const struct elf_sym *elf_named(struct elf *e, const char *name);

static inline const char *
elf_name(const struct elf *e, const struct elf_sym *s)
{
	return e->strs + s->name;
}

#endif
