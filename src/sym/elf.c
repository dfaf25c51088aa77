/* Reading ELF files; see elf.h. */
#include "sym/elf.h"

#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX_LOADS = 512, MAX_SECTIONS = 200000, MAX_NOTES = 100000, MAX_NAME = 1000 };
#define MAX_SYMS ((uint64_t)8 << 20)
#define MAX_BYTES ((uint64_t)512 << 20) /* of one table */

struct src {
	int fd;
	const char *mem; /* NULL: fd */
	uint64_t size;
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
		ssize_t got = pread(s->fd, (char *)to + done, n - done, (off_t)(off + done));
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return false;
		done += (size_t)got;
	}
	return true;
}

/* A part of the file on the heap with a NUL after it; NULL: it is not there, or no memory. */
static char *
src_take(const struct src *s, uint64_t off, uint64_t n)
{
	if (n > MAX_BYTES || off > s->size || n > s->size - off)
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

/* Names go to terminals: control characters do not. Versions (@@GLIBC_2.2.5) are left out. */
static bool
add_name(struct elf *e, size_t *cap, const char *name, uint32_t *at)
{
	size_t len = strcspn(name, "@");
	if (len > MAX_NAME)
		len = MAX_NAME;
	if (e->nstrs + len + 1 > UINT32_MAX)
		return false;
	if (e->nstrs + len + 1 > *cap) {
		size_t bigger = *cap ? *cap : 4096;
		while (bigger < e->nstrs + len + 1)
			bigger *= 2;
		char *p = realloc(e->strs, bigger);
		if (!p)
			return false;
		e->strs = p;
		*cap = bigger;
	}
	*at = (uint32_t)e->nstrs;
	for (size_t i = 0; i < len; i++)
		e->strs[e->nstrs++] = (unsigned char)name[i] < 0x20 || name[i] == 0x7f ? '?' : name[i];
	e->strs[e->nstrs++] = '\0';
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

struct gather {
	size_t cap, capstrs;
	bool oom;
};

/* How good a name is among those of one address: few underscores first, then what others can see. */
static uint8_t
rank_of(const char *name, unsigned bind)
{
	unsigned n = 0;
	while (n < 7 && name[n] == '_')
		n++;
	return (uint8_t)(n << 2 | (bind == STB_GLOBAL ? 0u : bind == STB_WEAK ? 1u : 2u));
}

static void
add_table(
    struct elf *e, const struct src *s, const Elf64_Shdr *sh, const Elf64_Shdr *str, unsigned want, struct gather *g)
{
	uint64_t n = sh->sh_size / sizeof(Elf64_Sym);
	if (sh->sh_entsize != sizeof(Elf64_Sym) || n > MAX_SYMS)
		return;
	char *rows = src_take(s, sh->sh_offset, n * sizeof(Elf64_Sym)),
	     *names = src_take(s, str->sh_offset, str->sh_size);
	for (uint64_t i = 0; rows && names && i < n; i++) {
		Elf64_Sym y;
		memcpy(&y, rows + i * sizeof y, sizeof y);
		unsigned type = ELF64_ST_TYPE(y.st_info);
		bool data = type == STT_OBJECT && want & ELF_DATA;
		bool code = type == STT_FUNC || type == STT_GNU_IFUNC || type == STT_NOTYPE;
		if (y.st_shndx == SHN_UNDEF || y.st_name >= str->sh_size || (!code && !data))
			continue;
		const char *name = names + y.st_name;
		if (!*name || *name == '@' || !in_loads(e, y.st_value, code))
			continue;
		if (e->nsyms == g->cap) {
			size_t cap = g->cap ? g->cap * 2 : 256;
			struct elf_sym *p = realloc(e->syms, cap * sizeof *p);
			if (!p) {
				g->oom = true;
				break;
			}
			e->syms = p;
			g->cap = cap;
		}
		struct elf_sym *to = &e->syms[e->nsyms];
		*to = (struct elf_sym){.addr = y.st_value,
		    .size = y.st_size,
		    .kind = type == STT_FUNC        ? ELF_FUNC
			    : type == STT_GNU_IFUNC ? ELF_IFUNC
						    : ELF_OTHER,
		    .rank = rank_of(name, ELF64_ST_BIND(y.st_info))};
		if (!add_name(e, &g->capstrs, name, &to->name)) {
			g->oom = true;
			break;
		}
		e->nsyms++;
	}
	if (!rows || !names)
		g->oom |= n > 0 && sh->sh_offset < s->size && errno == ENOMEM;
	free(rows);
	free(names);
}

static int
cmp_syms(const void *a, const void *b, void *arg)
{
	const struct elf_sym *x = a, *y = b;
	const char *strs = arg;
	if (x->addr != y->addr)
		return x->addr < y->addr ? -1 : 1;
	if ((x->kind == ELF_OTHER) != (y->kind == ELF_OTHER))
		return x->kind == ELF_OTHER ? 1 : -1;
	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	size_t m = strlen(strs + x->name), n = strlen(strs + y->name);
	int c = m != n ? (m > n) - (m < n) : strcmp(strs + x->name, strs + y->name);
	return c ? c : (x->size < y->size) - (x->size > y->size);
}

static void
sort_syms(struct elf *e)
{
	if (!e->nsyms)
		return;
	qsort_r(e->syms, e->nsyms, sizeof *e->syms, cmp_syms, e->strs);
	/* What is in both tables is there twice. */
	size_t to = 1;
	for (size_t i = 1; i < e->nsyms; i++)
		if (e->syms[i].addr != e->syms[to - 1].addr ||
		    strcmp(elf_name(e, &e->syms[i]), elf_name(e, &e->syms[to - 1])) != 0)
			e->syms[to++] = e->syms[i];
	e->nsyms = to;
}

/* ---- notes ---- */

static size_t
align4(size_t n)
{
	return (n + 3) & ~(size_t)3;
}

/* One note's description: three addresses, three strings. */
static bool
add_note(struct elf *e, const char *d, size_t n, uint64_t base, size_t *cap, size_t *used, size_t *capstrs)
{
	uint64_t w[3];
	const char *text[3];
	if (n < sizeof w || e->nnotes >= MAX_NOTES)
		return true;
	memcpy(w, d, sizeof w);
	size_t at = sizeof w;
	for (unsigned i = 0; i < 3; i++) {
		size_t len = strnlen(d + at, n - at);
		if (at + len >= n)
			return true; /* not ended: damaged */
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
add_notes(struct elf *e, const char *p, size_t n, uint64_t base)
{
	size_t cap = e->nnotes, used = 0, capstrs = 0;
	while (n >= 12) {
		uint32_t h[3]; /* bytes of name and description, type */
		memcpy(h, p, sizeof h);
		size_t name = align4(h[0]), desc = align4(h[1]);
		if (name < h[0] || desc < h[1] || name > n - 12 || h[1] > n - 12 - name)
			break;
		if (h[2] == 3 && h[0] == 8 && memcmp(p + 12, "stapsdt", 8) == 0 &&
		    !add_note(e, p + 12 + name, h[1], base, &cap, &used, &capstrs))
			return false;
		size_t all = 12 + name + desc;
		if (all >= n)
			break;
		p += all;
		n -= all;
	}
	return true;
}

/* The note that names the build. */
static void
find_id(struct elf *e, const char *p, size_t n)
{
	uint32_t h[3]; /* bytes of name and description, type */
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
	if (h->e_phentsize != sizeof(Elf64_Phdr) || h->e_phnum > MAX_LOADS)
		return h->e_phnum == 0;
	e->loads = calloc((size_t)h->e_phnum + 1, sizeof *e->loads);
	for (unsigned i = 0; e->loads && i < h->e_phnum; i++) {
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

static bool
read_sections(struct elf *e, const struct src *s, const Elf64_Ehdr *h, unsigned want)
{
	uint64_t n = h->e_shnum, names = h->e_shstrndx;
	Elf64_Shdr first;
	if (h->e_shentsize != sizeof(Elf64_Shdr) || h->e_shoff == 0 || !src_read(s, h->e_shoff, &first, sizeof first))
		return true;
	if (n == 0)
		n = first.sh_size;
	if (names == SHN_XINDEX)
		names = first.sh_link;
	if (n == 0 || n > MAX_SECTIONS)
		return true;
	char *rows = src_take(s, h->e_shoff, n * sizeof(Elf64_Shdr)), *strs = NULL;
	if (!rows)
		return true;
	Elf64_Shdr *sh = calloc((size_t)n, sizeof *sh);
	bool ok = sh != NULL;
	uint64_t nstrs = 0, base = 0;
	if (ok)
		memcpy(sh, rows, (size_t)n * sizeof *sh);
	if (ok && names < n && (strs = src_take(s, sh[names].sh_offset, sh[names].sh_size)))
		nstrs = sh[names].sh_size;
	for (uint64_t i = 0; ok && i < n; i++)
		if (sh[i].sh_name < nstrs && strcmp(strs + sh[i].sh_name, ".stapsdt.base") == 0)
			base = sh[i].sh_addr;
	struct gather g = {0};
	for (uint64_t i = 0; ok && i < n; i++) {
		bool table = sh[i].sh_type == SHT_SYMTAB || sh[i].sh_type == SHT_DYNSYM;
		if (want & (ELF_SYMS | ELF_DATA) && table && sh[i].sh_link < n) {
			errno = 0;
			add_table(e, s, &sh[i], &sh[sh[i].sh_link], want, &g);
			ok = !g.oom;
		}
		e->has_symtab |= sh[i].sh_type == SHT_SYMTAB && sh[i].sh_size > sizeof(Elf64_Sym);
		if (want & ELF_SYMS && sh[i].sh_type == SHT_NOTE && sh[i].sh_name < nstrs && sh[i].sh_size < 4096 &&
		    strcmp(strs + sh[i].sh_name, ".note.gnu.build-id") == 0) {
			char *note = src_take(s, sh[i].sh_offset, sh[i].sh_size);
			if (note)
				find_id(e, note, (size_t)sh[i].sh_size);
			free(note);
		}
		if (want & ELF_NOTES && sh[i].sh_type == SHT_NOTE && sh[i].sh_name < nstrs &&
		    strcmp(strs + sh[i].sh_name, ".note.stapsdt") == 0 && !e->nnotes) {
			char *notes = src_take(s, sh[i].sh_offset, sh[i].sh_size);
			ok = !notes || add_notes(e, notes, (size_t)sh[i].sh_size, base);
			free(notes);
		}
	}
	sort_syms(e);
	free(sh);
	free(rows);
	free(strs);
	return ok;
}

static bool
read_all(struct elf *e, const struct src *s, unsigned want, char *why, size_t whylen)
{
	Elf64_Ehdr h;
	*e = (struct elf){0};
	if (!src_read(s, 0, &h, sizeof h) || memcmp(h.e_ident, ELFMAG, SELFMAG) != 0) {
		snprintf(why, whylen, "not an ELF file");
		return false;
	}
	if (h.e_ident[EI_CLASS] != ELFCLASS64 || h.e_ident[EI_DATA] != ELFDATA2LSB) {
		snprintf(why, whylen, "not a 64-bit little-endian ELF file");
		return false;
	}
	e->entry = h.e_entry;
	e->fixed = h.e_type == ET_EXEC;
	if (read_loads(e, s, &h) && read_sections(e, s, &h, want))
		return true;
	elf_free(e);
	snprintf(why, whylen, "out of memory");
	return false;
}

bool
elf_read_fd(struct elf *e, int fd, unsigned want, char *why, size_t whylen)
{
	struct stat st;
	*e = (struct elf){0};
	if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode) || st.st_size < 0) {
		snprintf(why, whylen, "not a regular file");
		return false;
	}
	struct src s = {.fd = fd, .size = (uint64_t)st.st_size};
	return read_all(e, &s, want, why, whylen);
}

bool
elf_read_mem(struct elf *e, const void *mem, size_t len, unsigned want, char *why, size_t whylen)
{
	struct src s = {.fd = -1, .mem = mem, .size = len};
	return read_all(e, &s, want, why, whylen);
}

void
elf_free(struct elf *e)
{
	free(e->loads);
	free(e->syms);
	free(e->strs);
	free(e->notes);
	free(e->notestrs);
	*e = (struct elf){0};
}

bool
elf_take_symbols(struct elf *e, struct elf *debug)
{
	if (!debug->has_symtab || !e->nid || debug->nid != e->nid || memcmp(debug->id, e->id, e->nid) != 0)
		return false;
	free(e->syms);
	free(e->strs);
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
	/* Segments share pages at their edges: the one with code is meant when there are two. */
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

const struct elf_sym *
elf_find(const struct elf *e, uint64_t addr)
{
	size_t lo = 0, hi = e->nsyms;
	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		if (e->syms[mid].addr <= addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	/* Small symbols may lie inside larger ones: some steps back, address by address. */
	for (size_t end = lo, start, steps = 0; end > 0 && steps < 32; end = start, steps++) {
		bool sized = false;
		for (start = end; start > 0 && e->syms[start - 1].addr == e->syms[end - 1].addr;)
			start--;
		for (size_t i = start; i < end; i++) {
			if (addr - e->syms[i].addr < e->syms[i].size)
				return &e->syms[i];
			sized |= e->syms[i].size != 0;
		}
		if (steps == 0 && !sized)
			return &e->syms[start]; /* nobody has said where it ends */
	}
	return NULL;
}

const struct elf_sym *
elf_named(const struct elf *e, const char *name)
{
	for (size_t i = 0; i < e->nsyms; i++)
		if (strcmp(elf_name(e, &e->syms[i]), name) == 0)
			return &e->syms[i];
	return NULL;
}
