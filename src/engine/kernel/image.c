/*
 * Reads the runtime's object file, which clang wrote and the build put into this library: its functions, what each
 * refers to, and the types that the kernel needs. It has no data, no maps and one section of code, so little has to be
 * read.
 */
#include "engine/kernel/kern.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Made by the build from rt.bpf.o and rt_big.bpf.o. */
extern const unsigned char kern_rt_object[], kern_rt_big_object[];
extern const unsigned kern_rt_object_len, kern_rt_big_object_len;

enum { RELOC_64 = 1, RELOC_CALL = 10 }; /* R_BPF_64_64, R_BPF_64_32 */

struct rt_elf {
	const char *at;
	const Elf64_Ehdr *eh;
	const Elf64_Shdr *sh;
	const char *names;
};

static const Elf64_Shdr *
section(const struct rt_elf *f, const char *name)
{
	for (unsigned i = 0; i < f->eh->e_shnum; i++)
		if (strcmp(f->names + f->sh[i].sh_name, name) == 0)
			return &f->sh[i];
	return NULL;
}

static int
by_start(const void *a, const void *b)
{
	const struct image_func *x = a, *y = b;
	return (x->start > y->start) - (x->start < y->start);
}

static int
func_at(const struct rt_image *im, uint32_t start)
{
	for (uint32_t i = 0; i < im->nfuncs; i++)
		if (im->funcs[i].start == start)
			return (int)i;
	return -1;
}

/* .BTF.ext: a header, then for each section the offset and type of each function. */
static bool
read_types(struct rt_image *im, const char *ext, size_t len)
{
	struct {
		uint16_t magic;
		uint8_t version, flags;
		uint32_t hdr_len, func_off, func_len;
	} h;
	uint32_t rec, n;
	if (len < sizeof h + 4)
		return false;
	memcpy(&h, ext, sizeof h);
	const char *at = ext + h.hdr_len + h.func_off;
	memcpy(&rec, at, 4);
	memcpy(&n, at + 8, 4);
	at += 12;
	if (rec < 8 || (uint64_t)n * rec + 12 > h.func_len || h.hdr_len + h.func_off + h.func_len > len)
		return false;
	for (uint32_t i = 0; i < n; i++, at += rec) {
		uint32_t pair[2];
		memcpy(pair, at, sizeof pair);
		int f = func_at(im, pair[0] / 8);
		if (f >= 0)
			im->funcs[f].type = pair[1];
	}
	return true;
}

static bool
read_funcs(
    struct rt_image *im, const struct rt_elf *f, const Elf64_Sym *syms, size_t nsyms, const char *strs, unsigned text)
{
	if (!(im->funcs = calloc(nsyms + 1, sizeof *im->funcs)))
		return false;
	for (size_t i = 0; i < nsyms; i++)
		if (ELF64_ST_TYPE(syms[i].st_info) == STT_FUNC && syms[i].st_shndx == text)
			im->funcs[im->nfuncs++] = (struct image_func){.name = strs + syms[i].st_name,
			    .start = (uint32_t)(syms[i].st_value / 8),
			    .n = (uint32_t)(syms[i].st_size / 8)};
	qsort(im->funcs, im->nfuncs, sizeof *im->funcs, by_start);
	(void)f;
	return true;
}

static bool
is_call(const struct bpf_insn *in)
{
	return in->code == (BPF_JMP | BPF_CALL) && in->src_reg == BPF_PSEUDO_CALL;
}

/* Finds the function that each instruction refers to. */
static bool
read_targets(struct rt_image *im, const struct rt_elf *f, const Elf64_Sym *syms)
{
	if (!(im->target = malloc((im->ntext + 1) * sizeof *im->target)))
		return false;
	for (uint32_t i = 0; i < im->ntext; i++) {
		im->target[i] = -1;
		if (is_call(&im->text[i]) && im->text[i].imm != -1)
			im->target[i] = func_at(im, (uint32_t)((int32_t)i + 1 + im->text[i].imm));
	}
	const Elf64_Shdr *sec = section(f, ".rel.text");
	if (!sec)
		return true;
	const Elf64_Rel *rel = (const Elf64_Rel *)(const void *)(f->at + sec->sh_offset);
	for (size_t i = 0; i < sec->sh_size / sizeof *rel; i++) {
		uint32_t at = (uint32_t)(rel[i].r_offset / 8);
		const Elf64_Sym *s = &syms[ELF64_R_SYM(rel[i].r_info)];
		uint64_t start = s->st_value / 8;
		if (at >= im->ntext)
			return false;
		bool is_section = ELF64_ST_TYPE(s->st_info) == STT_SECTION;
		if (ELF64_R_TYPE(rel[i].r_info) == RELOC_CALL)
			start += is_section ? (uint64_t)(int64_t)(im->text[at].imm + 1) : 0;
		else
			start += (uint64_t)(uint32_t)im->text[at].imm / 8;
		if ((im->target[at] = func_at(im, (uint32_t)start)) < 0)
			return false;
	}
	return true;
}

bool
image_open(struct rt_image *im, bool big, struct why *why)
{
	struct rt_elf f = {.at = (const char *)(big ? kern_rt_big_object : kern_rt_object)};
	*im = (struct rt_image){0};
	why_set(why, "the BPF runtime in this binary is damaged");
	f.eh = (const Elf64_Ehdr *)(const void *)f.at;
	if ((big ? kern_rt_big_object_len : kern_rt_object_len) < sizeof *f.eh || memcmp(f.at, ELFMAG, SELFMAG) != 0)
		return false;
	f.sh = (const Elf64_Shdr *)(const void *)(f.at + f.eh->e_shoff);
	f.names = f.at + f.sh[f.eh->e_shstrndx].sh_offset;
	const Elf64_Shdr *text = section(&f, ".text"), *sym = section(&f, ".symtab"), *btf = section(&f, ".BTF"),
			 *ext = section(&f, ".BTF.ext");
	if (!text || !sym || !btf || !ext)
		return false;
	im->text = (const struct bpf_insn *)(const void *)(f.at + text->sh_offset);
	im->ntext = (uint32_t)(text->sh_size / sizeof *im->text);
	im->btf = f.at + btf->sh_offset;
	im->btflen = (uint32_t)btf->sh_size;
	const Elf64_Sym *syms = (const Elf64_Sym *)(const void *)(f.at + sym->sh_offset);
	if (!read_funcs(im, &f, syms, sym->sh_size / sizeof *syms, f.at + f.sh[sym->sh_link].sh_offset,
		(unsigned)(text - f.sh)) ||
	    !read_targets(im, &f, syms) || !read_types(im, f.at + ext->sh_offset, ext->sh_size)) {
		image_close(im);
		return false;
	}
	why->text[0] = '\0';
	return true;
}

void
image_close(struct rt_image *im)
{
	free(im->funcs);
	free(im->target);
	*im = (struct rt_image){0};
}

int
image_find(const struct rt_image *im, const char *name)
{
	for (uint32_t i = 0; i < im->nfuncs; i++)
		if (strcmp(im->funcs[i].name, name) == 0)
			return (int)i;
	return -1;
}
