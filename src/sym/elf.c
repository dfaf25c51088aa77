/* Reading ELF files; see elf.h. */
#include "sym/elf.h"
#include "sym/eh.h"

#include "base/hash.h"
#include "sym/slow.h"
#include "sym/xz.h"

#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX_HEADERS = 512, MAX_LOADS = 64, MAX_NAME = 1000, MAX_GROUP = 256 };
#define MAX_SYMS ((uint64_t)16 << 20)
#define MAX_BYTES ((uint64_t)1 << 30) /* of one table */

struct src {
	int fd;
	const char *mem; /* NULL if it is read from fd */
	uint64_t size;
	struct spending *sp;
};

static bool
src_read(const struct src *s, uint64_t off, void *to, size_t n)
{
	if (off > s->size || n > s->size - off)
		return false;
	if (s->mem) {
		if (n)
			memcpy(to, s->mem + off, n);
		return true;
	}
	for (size_t done = 0; done < n;) {
		size_t want = n - done < 1 << 20 ? n - done : 1 << 20;
		ssize_t got = slow_pread(s->sp, s->fd, (char *)to + done, want, (off_t)(off + done));
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0 || !spend_time(s->sp))
			return false;
		done += (size_t)got;
	}
	return true;
}

/* Returns a part of the file on the heap with a NUL after it. Returns NULL if it is not there or too large, or if
 * there is no memory. */
static char *
src_take(const struct src *s, uint64_t off, uint64_t n)
{
	if (n > MAX_BYTES || off > s->size || n > s->size - off || !spend(s->sp, SPEND_BYTES, n))
		return NULL;
	char *p = malloc((size_t)n + 1);
	if (p && !src_read(s, off, p, (size_t)n)) {
		free(p);
		p = NULL;
	}
	if (p)
		p[n] = '\0';
	return p;
}

/* ---- symbols ---- */

/*
 * Takes over a table of names. It is kept as it is in the file, because many symbols may share one name or the end of
 * one, and separate copies would be many times its size. Control characters are replaced, because names go to
 * terminals. Versions (@@GLIBC_2.2.5) are cut off, and so are very long names.
 */
static bool
add_names(struct elf *e, const struct src *s, const Elf64_Shdr *str, uint32_t *base)
{
	char *names = src_take(s, str->sh_offset, str->sh_size);
	size_t n = (size_t)str->sh_size + 1;
	*base = (uint32_t)e->nstrs;
	char *p = names && e->nstrs + n < UINT32_MAX ? (e->strs ? realloc(e->strs, e->nstrs + n) : names) : NULL;
	if (!p) {
		free(names);
		return false;
	}
	if (e->strs) {
		memcpy(p + e->nstrs, names, n);
		free(names);
	}
	e->strs = p;
	size_t run = 0;
	for (char *c = p + e->nstrs, *end = c + n; c < end; c++) {
		run = *c ? run + 1 : 0;
		if (*c == '@' || run > MAX_NAME) {
			*c = '\0';
			run = 0;
		} else if (*c && ((unsigned char)*c < 0x20 || *c == 0x7f))
			*c = '?';
	}
	e->nstrs += n;
	return true;
}

static bool
in_loads(const struct elf *e, uint64_t addr, bool exec)
{
	for (unsigned i = 0; i < e->nloads; i++)
		if ((!exec || e->loads[i].exec) && addr >= e->loads[i].vaddr &&
		    addr - e->loads[i].vaddr < e->loads[i].memsz)
			return true;
	return false;
}

/* Ranks the names of one address: few underscores first, then global ones. */
static uint8_t
rank_of(const char *name, unsigned bind)
{
	unsigned n = 0;
	while (n < 7 && name[n] == '_')
		n++;
	return (uint8_t)(n << 2 | (bind == STB_GLOBAL ? 0u : bind == STB_WEAK ? 1u : 2u));
}

struct gather {
	size_t cap;
	/* The names of the last table, which the next may share. */
	uint64_t link;
	uint32_t base;
	bool oom;
};

static bool
add_symbol(struct elf *e, struct gather *g, const Elf64_Sym *y, const Elf64_Shdr *str, unsigned want)
{
	unsigned type = ELF64_ST_TYPE(y->st_info);
	bool data = type == STT_OBJECT && want & ELF_DATA;
	bool code = type == STT_FUNC || type == STT_GNU_IFUNC || type == STT_NOTYPE;
	if (y->st_shndx == SHN_UNDEF || y->st_name >= str->sh_size || (!code && !data))
		return true;
	const char *name = e->strs + g->base + y->st_name;
	if (!*name || !in_loads(e, y->st_value, code))
		return true;
	if (e->nsyms == g->cap) {
		size_t cap = g->cap ? g->cap * 2 : 256;
		struct elf_sym *p = realloc(e->syms, cap * sizeof *p);
		if (!p)
			return false;
		e->syms = p;
		g->cap = cap;
	}
	e->syms[e->nsyms++] = (struct elf_sym){.addr = y->st_value,
	    .size = y->st_size,
	    .name = g->base + y->st_name,
	    .kind = type == STT_FUNC        ? ELF_FUNC
		    : type == STT_GNU_IFUNC ? ELF_IFUNC
					    : ELF_OTHER,
	    .rank = rank_of(name, ELF64_ST_BIND(y->st_info))};
	return true;
}

/* Reads one of a file's two tables of symbols, a piece at a time. Damaged symbols are left out. */
static void
add_table(
    struct elf *e, const struct src *s, const Elf64_Shdr *sh, const Elf64_Shdr *all, unsigned want, struct gather *g)
{
	const Elf64_Shdr *str = &all[sh->sh_link];
	uint64_t n = sh->sh_size / sizeof(Elf64_Sym);
	if (sh->sh_entsize != sizeof(Elf64_Sym) || n > MAX_SYMS || sh->sh_offset > s->size ||
	    n * sizeof(Elf64_Sym) > s->size - sh->sh_offset || !n || !spend(s->sp, SPEND_SYMS, n) ||
	    !spend(s->sp, SPEND_BYTES, n * sizeof(Elf64_Sym)))
		return;
	errno = 0;
	if (g->link != sh->sh_link && !add_names(e, s, str, &g->base)) {
		g->oom = errno == ENOMEM;
		return;
	}
	g->link = sh->sh_link;
	Elf64_Sym rows[512] = {0};
	for (uint64_t i = 0; i < n && !g->oom; i += 512) {
		uint64_t here = n - i < 512 ? n - i : 512;
		if (!src_read(s, sh->sh_offset + i * sizeof *rows, rows, (size_t)here * sizeof *rows) ||
		    !spend_time(s->sp))
			return;
		for (uint64_t k = 0; k < here && !g->oom; k++)
			g->oom = !add_symbol(e, g, &rows[k], str, want);
	}
}

static int
cmp_addrs(const void *a, const void *b)
{
	const struct elf_sym *x = a, *y = b;
	if (x->addr != y->addr)
		return x->addr < y->addr ? -1 : 1;
	if ((x->kind == ELF_OTHER) != (y->kind == ELF_OTHER))
		return x->kind == ELF_OTHER ? 1 : -1;
	return (x->rank > y->rank) - (x->rank < y->rank);
}

static int
cmp_syms(const void *a, const void *b, void *arg)
{
	const struct elf_sym *x = a, *y = b;
	const char *strs = arg;
	int c = cmp_addrs(a, b);
	if (c)
		return c;
	size_t m = strlen(strs + x->name), n = strlen(strs + y->name);
	c = m != n ? (m > n) - (m < n) : strcmp(strs + x->name, strs + y->name);
	return c ? c : (x->size < y->size) - (x->size > y->size);
}

/* Sorts by address, and the names of one address by rank. Real files have a few names per address. If there are
 * thousands, long names are not compared, because that would take too long. */
static void
sort_syms(struct elf *e, const struct src *s)
{
	if (!e->nsyms)
		return;
	qsort(e->syms, e->nsyms, sizeof *e->syms, cmp_addrs);
	size_t to = 0;
	for (size_t i = 0, end; i < e->nsyms && spend_time(s->sp); i = end) {
		for (end = i + 1; end < e->nsyms && e->syms[end].addr == e->syms[i].addr;)
			end++;
		bool few = end - i <= MAX_GROUP;
		if (few && end - i > 1)
			qsort_r(&e->syms[i], end - i, sizeof *e->syms, cmp_syms, e->strs);
		/* A symbol that is in both tables is there twice. */
		for (size_t k = i; k < end; k++)
			if (k == i || !few || strcmp(elf_name(e, &e->syms[k]), elf_name(e, &e->syms[to - 1])) != 0)
				e->syms[to++] = e->syms[k];
	}
	e->nsyms = to;
}

/* ---- notes ---- */

static size_t
align4(size_t n)
{
	return (n + 3) & ~(size_t)3;
}

/* The description of one note: three addresses and three strings. */
static bool
add_note(struct elf *e, const char *d, size_t n, uint64_t base, size_t *cap, size_t *used, size_t *capstrs)
{
	uint64_t w[3];
	const char *text[3];
	if (n < sizeof w)
		return true;
	memcpy(w, d, sizeof w);
	size_t at = sizeof w;
	for (unsigned i = 0; i < 3; i++) {
		size_t len = strnlen(d + at, n - at);
		if (at + len >= n)
			return true; /* unterminated: damaged */
		text[i] = d + at;
		at += len + 1;
	}
	if (!*text[0] || !*text[1] || strlen(text[0]) > 200 || strlen(text[1]) > 200 || strlen(text[2]) > 4000)
		return true;
	if (e->nnotes == *cap) {
		size_t bigger = *cap ? *cap * 2 : 64;
		struct elf_note *p = realloc(e->notes, bigger * sizeof *p);
		if (!p)
			return false;
		e->notes = p;
		*cap = bigger;
	}
	size_t need = at - sizeof w;
	if (*used + need > *capstrs) {
		size_t bigger = *capstrs ? *capstrs : 4096;
		while (bigger < *used + need)
			bigger *= 2;
		char *p = realloc(e->notestrs, bigger);
		if (!p)
			return false;
		e->notestrs = p;
		*capstrs = bigger;
	}
	/* Prelinking moves the code, not the notes: the section .stapsdt.base tells by how much. */
	uint64_t moved = base && w[1] ? base - w[1] : 0;
	struct elf_note *to = &e->notes[e->nnotes++];
	*to = (struct elf_note){.pc = w[0] + moved,
	    .sem = w[2] ? w[2] + moved : 0,
	    .provider = (uint32_t)*used,
	    .name = (uint32_t)(*used + (size_t)(text[1] - text[0])),
	    .args = (uint32_t)(*used + (size_t)(text[2] - text[0]))};
	memcpy(e->notestrs + *used, text[0], need);
	for (size_t i = 0; i < need; i++)
		if ((unsigned char)e->notestrs[*used + i] < 0x20 && e->notestrs[*used + i])
			e->notestrs[*used + i] = '?';
	*used += need;
	return true;
}

static bool
add_notes(struct elf *e, const struct src *s, const char *p, size_t n, uint64_t base)
{
	size_t cap = e->nnotes, used = 0, capstrs = 0;
	while (n >= 12 && spend_time(s->sp)) {
		uint32_t h[3]; /* lengths of name and description, type */
		memcpy(h, p, sizeof h);
		size_t name = align4(h[0]), desc = align4(h[1]);
		if (name < h[0] || desc < h[1] || name > n - 12 || h[1] > n - 12 - name)
			break;
		if (h[2] == 3 && h[0] == 8 && memcmp(p + 12, "stapsdt", 8) == 0) {
			if (!spend(s->sp, SPEND_NOTES, 1))
				break;
			if (!add_note(e, p + 12 + name, h[1], base, &cap, &used, &capstrs))
				return false;
		}
		size_t all = 12 + name + desc;
		if (all >= n)
			break;
		p += all;
		n -= all;
	}
	return true;
}

/* Finds the note with the build id. */
static void
find_id(struct elf *e, const char *p, size_t n)
{
	uint32_t h[3]; /* lengths of name and description, type */
	if (n < sizeof h + 4)
		return;
	memcpy(h, p, sizeof h);
	if (h[0] != 4 || h[2] != NT_GNU_BUILD_ID || memcmp(p + sizeof h, "GNU", 4) != 0 || h[1] > n - sizeof h - 4 ||
	    h[1] > sizeof e->id)
		return;
	memcpy(e->id, p + sizeof h + 4, h[1]);
	e->nid = h[1];
}

/* ---- the file ---- */

static bool
read_loads(struct elf *e, const struct src *s, const Elf64_Ehdr *h)
{
	if (h->e_phentsize != sizeof(Elf64_Phdr) || h->e_phnum > MAX_HEADERS)
		return true;
	e->loads = calloc(MAX_LOADS, sizeof *e->loads);
	for (unsigned i = 0; e->loads && i < h->e_phnum && e->nloads < MAX_LOADS; i++) {
		Elf64_Phdr p;
		if (h->e_phoff > s->size || !src_read(s, h->e_phoff + i * sizeof p, &p, sizeof p))
			break;
		if (p.p_type == PT_LOAD)
			e->loads[e->nloads++] = (struct elf_load){.vaddr = p.p_vaddr,
			    .off = p.p_offset,
			    .filesz = p.p_filesz,
			    .memsz = p.p_memsz,
			    .exec = p.p_flags & PF_X,
			    .write = p.p_flags & PF_W};
	}
	return e->loads != NULL;
}

/* The wanted sections. If there are several of a kind the first counts: real files have one. */
struct sections {
	const Elf64_Shdr *all;
	uint64_t n;
	const Elf64_Shdr *symtab, *dynsym, *build, *probes, *unwind, *packed;
	uint64_t base; /* see add_note() */
};

static void
find_sections(struct sections *t, const char *names, uint64_t nnames)
{
	for (const Elf64_Shdr *sh = t->all; sh < t->all + t->n; sh++) {
		const char *name = sh->sh_name < nnames ? names + sh->sh_name : "";
		if (!t->symtab && sh->sh_type == SHT_SYMTAB && sh->sh_link < t->n)
			t->symtab = sh;
		if (!t->dynsym && sh->sh_type == SHT_DYNSYM && sh->sh_link < t->n)
			t->dynsym = sh;
		if (!t->build && sh->sh_type == SHT_NOTE && strcmp(name, ".note.gnu.build-id") == 0)
			t->build = sh;
		if (!t->probes && sh->sh_type == SHT_NOTE && strcmp(name, ".note.stapsdt") == 0)
			t->probes = sh;
		if (!t->unwind && sh->sh_type != SHT_NOBITS && strcmp(name, ".eh_frame_hdr") == 0)
			t->unwind = sh;
		if (!t->packed && sh->sh_type == SHT_PROGBITS && strcmp(name, ".gnu_debugdata") == 0)
			t->packed = sh;
		if (!t->base && strcmp(name, ".stapsdt.base") == 0)
			t->base = sh->sh_addr;
	}
}

/* Returns the table of sections. Returns NULL if there is none, if it is damaged or too large, or if there is no
 * memory (*oom). */
static Elf64_Shdr *
take_sections(const struct src *s, const Elf64_Ehdr *h, uint64_t *n, bool *oom)
{
	Elf64_Shdr first;
	*n = h->e_shnum;
	*oom = false;
	if (h->e_shentsize != sizeof(Elf64_Shdr) || h->e_shoff == 0 || !src_read(s, h->e_shoff, &first, sizeof first))
		return NULL;
	if (*n == 0)
		*n = first.sh_size;
	if (*n == 0 || *n > (s->size - h->e_shoff) / sizeof first)
		return NULL;
	if (!spend(s->sp, SPEND_SECTIONS, *n) || !spend(s->sp, SPEND_BYTES, *n * sizeof first))
		return NULL;
	Elf64_Shdr *sh = calloc((size_t)*n, sizeof *sh);
	*oom = !sh;
	if (sh && !src_read(s, h->e_shoff, sh, (size_t)*n * sizeof *sh)) {
		free(sh);
		return NULL;
	}
	return sh;
}

/* Returns whether it begins like a file that we read: 64-bit, little-endian. */
static bool
is_ours(const Elf64_Ehdr *h)
{
	return h->e_ident[EI_CLASS] == ELFCLASS64 && h->e_ident[EI_DATA] == ELFDATA2LSB;
}

/*
 * Reads the symbols that a stripped program keeps packed: an ELF file inside the file (xz), with the functions that are
 * not exported. A packed file inside that one is ignored.
 */
static void
add_packed(struct elf *e, const struct src *s, const Elf64_Shdr *packed, unsigned want, struct gather *g)
{
	size_t len = 0;
	uint64_t n;
	bool oom;
	Elf64_Ehdr h;
	char *bytes = src_take(s, packed->sh_offset, packed->sh_size);
	char *mem = bytes ? xz_unpack(bytes, (size_t)packed->sh_size, s->sp, &len) : NULL;
	free(bytes);
	const struct src in = {.fd = -1, .mem = mem, .size = len, .sp = s->sp};
	if (mem && src_read(&in, 0, &h, sizeof h) && memcmp(h.e_ident, ELFMAG, SELFMAG) == 0 && is_ours(&h)) {
		Elf64_Shdr *sh = take_sections(&in, &h, &n, &oom);
		struct sections t = {.all = sh, .n = n};
		if (sh)
			find_sections(&t, "", 0);
		g->link = UINT64_MAX; /* the names belong to the other file */
		if (sh && t.symtab)
			add_table(e, &in, t.symtab, t.all, want, g);
		free(sh);
	}
	free(mem);
}

static bool
read_parts(struct elf *e, const struct src *s, const struct sections *t, unsigned want)
{
	bool ok = true;
	e->has_symtab = t->symtab && t->symtab->sh_size > sizeof(Elf64_Sym);
	if (want & (ELF_SYMS | ELF_DATA)) {
		struct gather g = {.link = UINT64_MAX};
		if (t->symtab)
			add_table(e, s, t->symtab, t->all, want, &g);
		if (t->dynsym && !g.oom)
			add_table(e, s, t->dynsym, t->all, want, &g);
		if (t->packed && !e->has_symtab && !g.oom)
			add_packed(e, s, t->packed, want, &g);
		ok = !g.oom;
		sort_syms(e, s);
	}
	if (want & ELF_SYMS && t->build && t->build->sh_size < 4096) {
		char *note = src_take(s, t->build->sh_offset, t->build->sh_size);
		if (note)
			find_id(e, note, (size_t)t->build->sh_size);
		free(note);
	}
	if (want & ELF_SYMS && !e->has_symtab && t->unwind) {
		char *rows = src_take(s, t->unwind->sh_offset, t->unwind->sh_size);
		if (rows)
			e->starts = eh_starts(rows, (size_t)t->unwind->sh_size, t->unwind->sh_addr, &e->nstarts);
		free(rows);
	}
	if (ok && want & ELF_NOTES && t->probes) {
		char *notes = src_take(s, t->probes->sh_offset, t->probes->sh_size);
		ok = !notes || add_notes(e, s, notes, (size_t)t->probes->sh_size, t->base);
		free(notes);
	}
	return ok;
}

static bool
read_sections(struct elf *e, const struct src *s, const Elf64_Ehdr *h, unsigned want)
{
	uint64_t n, names = h->e_shstrndx, nnames = 0;
	bool oom;
	Elf64_Shdr *sh = take_sections(s, h, &n, &oom);
	if (!sh)
		return !oom;
	if (names == SHN_XINDEX)
		names = sh[0].sh_link;
	char *strs = names < n ? src_take(s, sh[names].sh_offset, sh[names].sh_size) : NULL;
	if (strs)
		nnames = sh[names].sh_size;
	struct sections t = {.all = sh, .n = n};
	find_sections(&t, strs ? strs : "", nnames);
	bool ok = read_parts(e, s, &t, want);
	free(sh);
	free(strs);
	return ok;
}

static bool
read_all(struct elf *e, const struct src *s, unsigned want, struct why *why)
{
	Elf64_Ehdr h;
	*e = (struct elf){0};
	if (!src_read(s, 0, &h, sizeof h) || memcmp(h.e_ident, ELFMAG, SELFMAG) != 0) {
		why_set(why, "%s", s->sp->over ? s->sp->over : "not an ELF file");
		return false;
	}
	if (!is_ours(&h)) {
		why_set(why, "not a 64-bit little-endian ELF file");
		return false;
	}
	e->entry = h.e_entry;
	e->fixed = h.e_type == ET_EXEC;
	if (read_loads(e, s, &h) && read_sections(e, s, &h, want) && !s->sp->over)
		return true;
	elf_free(e);
	why_set(why, "%s", s->sp->over ? s->sp->over : "out of memory");
	return false;
}

bool
elf_read_fd(struct elf *e, int fd, unsigned want, struct spending *sp, struct why *why)
{
	struct stat st;
	struct spending own = {0};
	*e = (struct elf){0};
	if (!slow_stat(sp, fd, &st) || !S_ISREG(st.st_mode) || st.st_size < 0) {
		why_set(why, "not a regular file");
		return false;
	}
	struct src s = {.fd = fd, .size = (uint64_t)st.st_size, .sp = sp ? sp : &own};
	return read_all(e, &s, want, why);
}

bool
elf_read_mem(struct elf *e, const void *mem, size_t len, unsigned want, struct why *why)
{
	struct spending own = {0};
	struct src s = {.fd = -1, .mem = mem, .size = len, .sp = &own};
	return read_all(e, &s, want, why);
}

void
elf_free(struct elf *e)
{
	free(e->loads);
	free(e->syms);
	free(e->strs);
	free(e->notes);
	free(e->notestrs);
	free(e->starts);
	free(e->index);
	*e = (struct elf){0};
}

bool
elf_take_symbols(struct elf *e, struct elf *debug)
{
	if (!debug->has_symtab || !e->nid || debug->nid != e->nid || memcmp(debug->id, e->id, e->nid) != 0)
		return false;
	free(e->syms);
	free(e->strs);
	free(e->index);
	e->index = NULL;
	e->syms = debug->syms;
	e->nsyms = debug->nsyms;
	e->strs = debug->strs;
	e->nstrs = debug->nstrs;
	debug->syms = NULL;
	debug->strs = NULL;
	debug->nsyms = debug->nstrs = 0;
	return true;
}

/* ---- looking up ---- */

bool
elf_addr_of(const struct elf *e, uint64_t off, uint64_t *addr)
{
	/* Segments share pages at their edges. If there are two, the one with code is meant. */
	for (unsigned pass = 0; pass < 2; pass++)
		for (unsigned i = 0; i < e->nloads; i++) {
			const struct elf_load *l = &e->loads[i];
			if (l->exec == (pass == 0) && off >= l->off && off - l->off < l->filesz) {
				*addr = l->vaddr + (off - l->off);
				return true;
			}
		}
	return false;
}

bool
elf_off_of(const struct elf *e, uint64_t addr, uint64_t *off)
{
	for (unsigned i = 0; i < e->nloads; i++) {
		const struct elf_load *l = &e->loads[i];
		if (addr >= l->vaddr && addr - l->vaddr < l->filesz) {
			*off = l->off + (addr - l->vaddr);
			return true;
		}
	}
	return false;
}

/* Returns the first symbol whose address is not below (or with `above`, is above) the given one. */
static size_t
bound(const struct elf *e, uint64_t addr, bool above)
{
	size_t lo = 0, hi = e->nsyms;
	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		if (e->syms[mid].addr < addr || (above && e->syms[mid].addr == addr))
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

const struct elf_sym *
elf_find(const struct elf *e, uint64_t addr)
{
	/* Small symbols may lie inside larger ones, so it goes back some steps, address by address. */
	for (size_t end = bound(e, addr, true), start, steps = 0; end > 0 && steps < 32; end = start, steps++) {
		bool sized = false;
		start = bound(e, e->syms[end - 1].addr, false);
		for (size_t i = start; i < end && i - start < MAX_GROUP; i++) {
			if (addr - e->syms[i].addr < e->syms[i].size)
				return &e->syms[i];
			sized |= e->syms[i].size != 0;
		}
		if (steps == 0 && !sized)
			return &e->syms[start]; /* its end is unknown */
	}
	return NULL;
}

bool
elf_start_of(const struct elf *e, uint64_t addr, uint64_t *start)
{
	size_t lo = 0, hi = e->nstarts;
	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		if (e->starts[mid] <= addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (lo)
		*start = e->starts[lo - 1];
	return lo != 0;
}

static size_t
slot_of(const struct elf *e, const char *name)
{
	size_t at = hash_bytes(name, strlen(name)) & (e->nindex - 1);
	while (e->index[at] && strcmp(elf_name(e, &e->syms[e->index[at] - 1]), name) != 0)
		at = (at + 1) & (e->nindex - 1);
	return at;
}

/* Makes the index by name; of several symbols the lowest address comes first. It is made at the first search,
 * because few files need it. */
static bool
make_index(struct elf *e)
{
	for (e->nindex = 16; e->nindex < e->nsyms * 2;)
		e->nindex *= 2;
	e->index = calloc(e->nindex, sizeof *e->index);
	for (size_t i = 0; e->index && i < e->nsyms; i++) {
		size_t at = slot_of(e, elf_name(e, &e->syms[i]));
		if (!e->index[at])
			e->index[at] = (uint32_t)i + 1;
	}
	return e->index != NULL;
}

const struct elf_sym *
elf_named(struct elf *e, const char *name)
{
	if (!e->nsyms || (!e->index && !make_index(e)))
		return NULL;
	uint32_t at = e->index[slot_of(e, name)];
	return at ? &e->syms[at - 1] : NULL;
}
