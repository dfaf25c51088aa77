/* ELF files: a small one made here, whole and damaged in every way, and real ones. */
#include "sym/eh.h"
#include "sym/elf.h"

#include <elf.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

enum { CODE = 0x1000, DATA = 0x4000, NSECTIONS = 7 };

struct file {
	Elf64_Ehdr h;
	Elf64_Phdr p[2];
	Elf64_Shdr s[NSECTIONS];
	Elf64_Sym y[9];
	char strs[128], names[80], notes[160];
};

static uint32_t
put(char *to, size_t *at, const char *s)
{
	uint32_t here = (uint32_t)*at;
	strcpy(to + *at, s);
	*at += strlen(s) + 1;
	return here;
}

static Elf64_Sym
sym(struct file *f, size_t *at, const char *name, unsigned bind, unsigned type, uint64_t addr, uint64_t size)
{
	return (Elf64_Sym){.st_name = put(f->strs, at, name),
	    .st_info = (unsigned char)ELF64_ST_INFO(bind, type),
	    .st_shndx = 1,
	    .st_value = addr,
	    .st_size = size};
}

static void
make(struct file *f)
{
	size_t at = 1, n = 1, d = 0;
	memset(f, 0, sizeof *f);
	memcpy(f->h.e_ident, ELFMAG, SELFMAG);
	f->h.e_ident[EI_CLASS] = ELFCLASS64;
	f->h.e_ident[EI_DATA] = ELFDATA2LSB;
	f->h.e_type = ET_DYN;
	f->h.e_entry = CODE;
	f->h.e_phoff = offsetof(struct file, p);
	f->h.e_phentsize = sizeof(Elf64_Phdr);
	f->h.e_phnum = 2;
	f->h.e_shoff = offsetof(struct file, s);
	f->h.e_shentsize = sizeof(Elf64_Shdr);
	f->h.e_shnum = NSECTIONS;
	f->h.e_shstrndx = 3;
	/* code is at offset 0x40 of the file, data behind it */
	f->p[0] = (Elf64_Phdr){.p_type = PT_LOAD,
	    .p_flags = PF_R | PF_X,
	    .p_offset = 0x40,
	    .p_vaddr = CODE,
	    .p_filesz = 0x100,
	    .p_memsz = 0x100};
	f->p[1] = (Elf64_Phdr){.p_type = PT_LOAD,
	    .p_flags = PF_R | PF_W,
	    .p_offset = 0x140,
	    .p_vaddr = DATA,
	    .p_filesz = 0x40,
	    .p_memsz = 0x80};
	f->y[1] = sym(f, &at, "_best", STB_GLOBAL, STT_FUNC, CODE, 0x20);
	f->y[2] = sym(f, &at, "best", STB_WEAK, STT_FUNC, CODE, 0x20);
	f->y[3] = sym(f, &at, "outer@@V_1", STB_GLOBAL, STT_FUNC, CODE + 0x20, 0x40);
	f->y[4] = sym(f, &at, "inner", STB_LOCAL, STT_FUNC, CODE + 0x30, 0x10);
	f->y[5] = sym(f, &at, "chosen", STB_GLOBAL, STT_GNU_IFUNC, CODE + 0x70, 0x10);
	f->y[6] = sym(f, &at, "sizeless", STB_GLOBAL, STT_NOTYPE, CODE + 0x80, 0);
	f->y[7] = sym(f, &at, "variable", STB_GLOBAL, STT_OBJECT, DATA, 8);
	f->y[8] = sym(f, &at, "outside", STB_GLOBAL, STT_FUNC, 0x900000, 8);
	f->s[1] = (Elf64_Shdr){.sh_name = put(f->names, &n, ".symtab"),
	    .sh_type = SHT_SYMTAB,
	    .sh_offset = offsetof(struct file, y),
	    .sh_size = sizeof f->y,
	    .sh_entsize = sizeof *f->y,
	    .sh_link = 2};
	f->s[2] = (Elf64_Shdr){.sh_name = put(f->names, &n, ".strtab"),
	    .sh_type = SHT_STRTAB,
	    .sh_offset = offsetof(struct file, strs),
	    .sh_size = sizeof f->strs};
	f->s[3] = (Elf64_Shdr){.sh_name = put(f->names, &n, ".shstrtab"),
	    .sh_type = SHT_STRTAB,
	    .sh_offset = offsetof(struct file, names),
	    .sh_size = sizeof f->names};
	f->s[4] =
	    (Elf64_Shdr){.sh_name = put(f->names, &n, ".stapsdt.base"), .sh_type = SHT_PROGBITS, .sh_addr = 0x2010};
	/* noted when the base was at 0x2000: since then the file was moved by 0x10 */
	uint32_t head[3] = {8, 24 + 5 + 6 + 9, 3};
	uint64_t where[3] = {CODE + 0x12, 0x2000, DATA - 0x8};
	memcpy(f->notes + d, head, sizeof head), d += sizeof head;
	memcpy(f->notes + d, "stapsdt", 8), d += 8;
	memcpy(f->notes + d, where, sizeof where), d += sizeof where;
	put(f->notes, &d, "prov");
	put(f->notes, &d, "a__bc");
	put(f->notes, &d, "8@%rax $");
	f->s[5] = (Elf64_Shdr){.sh_name = put(f->names, &n, ".note.stapsdt"),
	    .sh_type = SHT_NOTE,
	    .sh_offset = offsetof(struct file, notes),
	    .sh_size = d};
}

static const char *
at(const struct elf *e, uint64_t addr)
{
	const struct elf_sym *s = elf_find(e, addr);
	return s ? elf_name(e, s) : "none";
}

static void
whole(void **state)
{
	struct file f;
	struct elf e;
	struct why why;
	uint64_t v;
	(void)state;
	make(&f);
	assert_true(elf_read_mem(&e, &f, sizeof f, ELF_SYMS | ELF_NOTES, &why));
	assert_int_equal(e.nsyms, 6);
	assert_string_equal(at(&e, CODE), "best");
	assert_string_equal(at(&e, CODE + 0x1f), "best");
	assert_string_equal(at(&e, CODE + 0x20), "outer");
	assert_string_equal(at(&e, CODE + 0x35), "inner");
	assert_string_equal(at(&e, CODE + 0x45), "outer");
	assert_string_equal(at(&e, CODE + 0x65), "none");
	assert_int_equal(elf_find(&e, CODE + 0x70)->kind, ELF_IFUNC);
	assert_string_equal(at(&e, CODE + 0x9f), "sizeless");
	assert_string_equal(at(&e, CODE - 1), "none");
	assert_null(elf_named(&e, "variable"));
	assert_non_null(elf_named(&e, "_best"));
	assert_true(elf_addr_of(&e, 0x50, &v));
	assert_int_equal(v, CODE + 0x10);
	assert_true(elf_off_of(&e, CODE + 0x10, &v));
	assert_int_equal(v, 0x50);
	assert_false(elf_off_of(&e, DATA + 0x50, &v)); /* not in the file: zeroes */
	assert_false(elf_addr_of(&e, 0x10, &v));
	assert_int_equal(e.nnotes, 1);
	assert_int_equal(e.notes[0].pc, CODE + 0x22);
	assert_int_equal(e.notes[0].sem, DATA + 0x8);
	assert_string_equal(e.notestrs + e.notes[0].provider, "prov");
	assert_string_equal(e.notestrs + e.notes[0].name, "a__bc");
	assert_string_equal(e.notestrs + e.notes[0].args, "8@%rax $");
	elf_free(&e);
	assert_true(elf_read_mem(&e, &f, sizeof f, ELF_SYMS | ELF_DATA, &why));
	assert_int_equal(elf_named(&e, "variable")->addr, DATA);
	assert_int_equal(e.nnotes, 0);
	elf_free(&e);
}

static void
use(const struct elf *e)
{
	uint64_t v;
	for (uint64_t a = CODE - 2; a < CODE + 0x102; a++)
		at(e, a);
	elf_addr_of(e, 0x50, &v);
	elf_off_of(e, DATA, &v);
	for (size_t i = 0; i < e->nnotes; i++)
		assert_true(strlen(e->notestrs + e->notes[i].args) < 5000);
}

/* Every byte with some other values, and every length: no crash, and what is read can be used. */
static void
damaged(void **state)
{
	struct file f, g;
	struct elf e;
	struct why why;
	static const unsigned char values[] = {0, 1, 0x7f, 0x80, 0xff};
	(void)state;
	make(&f);
	for (size_t i = 0; i < sizeof f; i++)
		for (unsigned k = 0; k < sizeof values; k++) {
			g = f;
			((unsigned char *)&g)[i] = values[k];
			if (elf_read_mem(&e, &g, sizeof g, ELF_SYMS | ELF_DATA | ELF_NOTES, &why)) {
				use(&e);
				elf_free(&e);
			}
		}
	for (size_t n = 0; n < sizeof f; n++) {
		char *cut = malloc(n ? n : 1);
		assert_non_null(cut);
		memcpy(cut, &f, n);
		if (elf_read_mem(&e, cut, n, ELF_SYMS | ELF_NOTES, &why)) {
			use(&e);
			elf_free(&e);
		}
		free(cut);
	}
}

static void
not_elf(void **state)
{
	struct elf e;
	struct file f;
	struct why why;
	(void)state;
	assert_false(elf_read_mem(&e, "#!/bin/sh", 9, ELF_SYMS, &why));
	assert_string_equal(why.text, "not an ELF file");
	make(&f);
	f.h.e_ident[EI_CLASS] = ELFCLASS32;
	assert_false(elf_read_mem(&e, &f, sizeof f, ELF_SYMS, &why));
	assert_string_equal(why.text, "not a 64-bit little-endian ELF file");
	int fd = open("/dev/null", O_RDONLY);
	assert_false(elf_read_fd(&e, fd, ELF_SYMS, NULL, &why));
	close(fd);
}

static void
this_program(void **state)
{
	struct elf e;
	struct why why;
	int fd = open("/proc/self/exe", O_RDONLY);
	(void)state;
	assert_true(elf_read_fd(&e, fd, ELF_SYMS, NULL, &why));
	close(fd);
	const struct elf_sym *s = elf_named(&e, "main");
	assert_non_null(s);
	assert_string_equal(at(&e, s->addr + s->size - 1), "main");
	elf_free(&e);
}

/* A file that has more than may be spent is left out whole, and the reason is told. */
static void
budgets(void **state)
{
	struct file f;
	struct elf e;
	struct why why;
	int fd = memfd_create("budget", MFD_CLOEXEC);
	(void)state;
	make(&f);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, &f, sizeof f), sizeof f);
	static const struct {
		enum spend what;
		uint64_t most;
		const char *why;
	} tests[] = {{SPEND_SYMS, 3, "it has too many symbols"}, {SPEND_BYTES, 100, "it is too large"},
	    {SPEND_NOTES, 0, "it has too many USDT notes"}, {SPEND_SECTIONS, 3, "it has too many sections"}};
	for (unsigned i = 0; i < sizeof tests / sizeof *tests; i++) {
		struct budget b = budget_large(), all = budget_large();
		b.file[tests[i].what] = tests[i].most;
		struct spending sp = spend_begin(&b);
		assert_false(elf_read_fd(&e, fd, ELF_SYMS | ELF_NOTES, &sp, &why));
		assert_string_equal(why.text, tests[i].why);
		/* or all files together */
		b = budget_large();
		b.all = &all;
		all.left[tests[i].what] = tests[i].most;
		sp = spend_begin(&b);
		assert_false(elf_read_fd(&e, fd, ELF_SYMS | ELF_NOTES, &sp, &why));
		assert_non_null(sp.over);
	}
	struct budget late = budget_large();
	late.file_cpu = -1;
	struct spending sp = spend_begin(&late);
	assert_false(elf_read_fd(&e, fd, ELF_SYMS | ELF_NOTES, &sp, &why));
	assert_string_equal(why.text, "it takes too long");
	struct budget enough = budget_large();
	sp = spend_begin(&enough);
	assert_true(elf_read_fd(&e, fd, ELF_SYMS | ELF_NOTES, &sp, &why));
	assert_null(sp.over);
	elf_free(&e);
	close(fd);
}

/* A file with more sections than one that was met in passing may have is read when its process was named. A number of
 * sections that the file has no room for is damage, whatever the budget. */
static void
many_sections(void **state)
{
	enum { MANY = 60000 };
	struct file f;
	struct elf e;
	struct why why;
	int fd = memfd_create("sections", MFD_CLOEXEC);
	Elf64_Shdr *more = calloc(MANY, sizeof *more);
	(void)state;
	make(&f);
	assert_true(fd >= 0 && more);
	memcpy(more, f.s, sizeof f.s);
	f.h.e_shoff = sizeof f;
	f.h.e_shnum = MANY;
	assert_int_equal(write(fd, &f, sizeof f), sizeof f);
	assert_int_equal(write(fd, more, MANY * sizeof *more), MANY * sizeof *more);
	struct budget small = budget_small(), large = budget_large();
	struct spending sp = spend_begin(&small);
	assert_false(elf_read_fd(&e, fd, ELF_SYMS | ELF_NOTES, &sp, &why));
	assert_string_equal(why.text, "it has too many sections");
	sp = spend_begin(&large);
	assert_true(elf_read_fd(&e, fd, ELF_SYMS | ELF_NOTES, &sp, &why));
	assert_null(sp.over);
	assert_int_equal(e.nsyms, 6);
	assert_int_equal(e.nnotes, 1);
	elf_free(&e);
	/* the number is in the first header when it is large: here, one that nobody has memory for */
	f.h.e_shnum = 0;
	more[0].sh_size = (uint64_t)1 << 50;
	assert_int_equal(pwrite(fd, &f, sizeof f, 0), sizeof f);
	assert_int_equal(pwrite(fd, more, sizeof *more, sizeof f), sizeof *more);
	assert_true(elf_read_fd(&e, fd, ELF_SYMS | ELF_NOTES, NULL, &why));
	assert_int_equal(e.nsyms, 0);
	elf_free(&e);
	close(fd);
	free(more);
}

/* Where functions without names begin: the table of a section made here, and what makes it none. */
static void
starts(void **state)
{
	struct {
		unsigned char head[4];
		int32_t frame;
		uint32_t rows;
		int32_t row[3][2];
	} h = {{1, 0x1b, 0x03, 0x3b}, 0, 3, {{-0x100, 0}, {0x40, 0}, {0x80, 0}}}, bad;
	size_t n = 0;
	uint64_t *all = eh_starts((const char *)&h, sizeof h, 0x5000, &n), start;
	(void)state;
	assert_non_null(all);
	assert_int_equal(n, 3);
	struct elf e = {.starts = all, .nstarts = n};
	assert_false(elf_start_of(&e, 0x4eff, &start));
	assert_true(elf_start_of(&e, 0x4f00, &start) && start == 0x4f00);
	assert_true(elf_start_of(&e, 0x507f, &start) && start == 0x5040);
	assert_true(elf_start_of(&e, 0x9000, &start) && start == 0x5080);
	elf_free(&e);
	for (size_t len = 0; len < sizeof h; len++)
		assert_null(eh_starts((const char *)&h, len, 0x5000, &n));
	for (unsigned i = 0; i < 4; i++) {
		bad = h;
		bad.head[i] = 0xff;
		assert_null(eh_starts((const char *)&bad, sizeof bad, 0x5000, &n));
	}
	bad = h;
	bad.row[2][0] = 0x3f;
	assert_null(eh_starts((const char *)&bad, sizeof bad, 0x5000, &n));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(budgets),
	    cmocka_unit_test(many_sections),
	    cmocka_unit_test(whole),
	    cmocka_unit_test(damaged),
	    cmocka_unit_test(not_elf),
	    cmocka_unit_test(this_program),
	    cmocka_unit_test(starts),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
