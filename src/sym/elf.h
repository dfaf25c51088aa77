/*
 * ELF files, as far as tracing needs them: which bytes of the file are mapped where, symbols, and USDT notes.
 *
 * The files belong to the traced processes, so an enemy may have made them. Everything is read by copying: a file that
 * shrinks meanwhile gives a short read and not a signal. Every offset is checked against the file's size. Only one
 * table of symbols and one of exported symbols are read, and a budget limits the cost (budget.h). Only 64-bit
 * little-endian files are read.
 *
 * A struct elf owns all that it points to, until elf_free().
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

enum elf_symkind { ELF_FUNC, ELF_IFUNC, ELF_OTHER }; /* OTHER: code without a type, as assemblers make it */
struct elf_sym {
	uint64_t addr, size;
	uint32_t name; /* offset in strs */
	uint8_t kind, rank;
};

/* A USDT probe as the compiler noted it (.note.stapsdt). Addresses are the file's, adjusted for prelinking. */
struct elf_note {
	uint64_t pc, sem;              /* sem is 0 if there is none */
	uint32_t provider, name, args; /* offsets in notestrs */
};

struct elf {
	uint64_t entry;
	bool fixed;             /* mapped where the file says (ET_EXEC) */
	bool has_symtab;        /* if not, it was stripped, and only exported symbols are known */
	unsigned nid;           /* bytes of id */
	uint8_t id[ELF_MAX_ID]; /* the build id, by which its debug file is found */
	struct elf_load *loads;
	unsigned nloads;
	struct elf_sym *syms; /* by address; of several at one address, the best name comes first */
	size_t nsyms;
	char *strs;
	size_t nstrs;
	struct elf_note *notes;
	size_t nnotes;
	char *notestrs;
	uint64_t *starts; /* starts of functions of a stripped file, ascending, including functions without a name */
	size_t nstarts;
	uint32_t *index; /* of syms by name: position plus one; NULL if not made yet */
	size_t nindex;
};

enum elf_want { ELF_SYMS = 1, ELF_DATA = 2, ELF_NOTES = 4 }; /* DATA: also symbols of data (addresses in operands) */

/* Returns false if it is not such a file, if it costs more than allowed (sp->over), or if there is no memory; `why`
 * says which. Damaged parts are left out. If sp is NULL there is no limit. */
bool elf_read_fd(struct elf *e, int fd, unsigned want, struct spending *sp, struct why *why);
bool elf_read_mem(struct elf *e, const void *mem, size_t len, unsigned want, struct why *why);
void elf_free(struct elf *e);
/* Takes over the symbols of the separate debug file. Returns false if that is of another build. */
bool elf_take_symbols(struct elf *e, struct elf *debug);

/* Convert between addresses of the file and offsets in it. Return false if it is in no loaded part. */
bool elf_addr_of(const struct elf *e, uint64_t off, uint64_t *addr);
bool elf_off_of(const struct elf *e, uint64_t addr, uint64_t *off);
/* Returns the symbol that contains an address, or NULL. */
const struct elf_sym *elf_find(const struct elf *e, uint64_t addr);
/* Finds where the function that contains an address begins, for one without a symbol. Returns false if unknown. */
bool elf_start_of(const struct elf *e, uint64_t addr, uint64_t *start);
/* Finds a symbol by name, or returns NULL. */
const struct elf_sym *elf_named(struct elf *e, const char *name);

static inline const char *
elf_name(const struct elf *e, const struct elf_sym *s)
{
	return e->strs + s->name;
}

#endif
