/*
 * Input from traced processes: ELF files with symbols and USDT notes (also within a budget), programs with their debug
 * files, the notes' arguments, perf maps, lines of /proc/PID/maps, reports of a watcher about processes, machine code.
 * The first byte says which of them the rest is.
 */
#include "arch/arch.h"
#include "arch/code.h"
#include "sym/elf.h"
#include "sym/syms.h"
#include "sym/tables.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool
symbol(void *arg, const char *name, uint64_t *addr)
{
	const struct elf_sym *s = arg ? elf_named(arg, name) : NULL;
	*addr = s ? s->addr : strlen(name);
	return s || !arg;
}

static void
try_elf(const uint8_t *data, size_t size)
{
	struct elf e;
	struct usdt_arg args[10];
	struct why why;
	uint64_t v;
	if (!elf_read_mem(&e, data, size, ELF_SYMS | ELF_DATA | ELF_NOTES, &why))
		return;
	for (size_t i = 0; i < e.nnotes && i < 100; i++) {
		usdt_parse(&ARCH_CODE, e.notestrs + e.notes[i].args, e.notes[i].pc, args, 10, symbol, &e);
		elf_find(&e, e.notes[i].pc);
		elf_off_of(&e, e.notes[i].sem, &v);
		if (!e.notestrs[e.notes[i].provider] || !e.notestrs[e.notes[i].name])
			abort();
	}
	for (size_t i = 0; i < e.nsyms; i++) {
		const struct elf_sym *s = elf_find(&e, e.syms[i].addr);
		if (!s || s->addr > e.syms[i].addr || (i && e.syms[i].addr < e.syms[i - 1].addr))
			abort();
	}
	for (uint64_t at = 0; at < size; at += 7)
		if (elf_addr_of(&e, at, &v))
			elf_find(&e, v);
	elf_free(&e);
}

/* A program and its debug file: the first two bytes say how long the program is. */
static void
try_debug(const uint8_t *data, size_t size)
{
	struct elf e, debug;
	struct why why;
	size_t n = size > 2 ? (size_t)(data[0] | data[1] << 8) : 0;
	if (size < 2 || n > size - 2 || !elf_read_mem(&e, data + 2, n, ELF_SYMS, &why))
		return;
	if (elf_read_mem(&debug, data + 2 + n, size - 2 - n, ELF_SYMS, &why)) {
		bool taken = elf_take_symbols(&e, &debug);
		if (taken && (debug.nsyms || debug.syms || !e.nid))
			abort();
		elf_free(&debug);
	}
	for (size_t i = 0; i < e.nsyms; i++) {
		const struct elf_sym *s = elf_named(&e, elf_name(&e, &e.syms[i]));
		if (!s || strcmp(elf_name(&e, s), elf_name(&e, &e.syms[i])) != 0 || !elf_find(&e, e.syms[i].addr))
			abort();
	}
	elf_free(&e);
}

/* Notes as they are, inside a file that is made around them, within a budget. */
static void
try_notes(const uint8_t *data, size_t size)
{
	static const char names[] = "\0.note.stapsdt";
	struct {
		Elf64_Ehdr h;
		Elf64_Phdr p;
		Elf64_Shdr s[3];
		char names[sizeof names];
	} f = {.h = {.e_type = ET_DYN,
		   .e_phoff = sizeof f.h,
		   .e_phentsize = sizeof f.p,
		   .e_phnum = 1,
		   .e_shoff = sizeof f.h + sizeof f.p,
		   .e_shentsize = sizeof *f.s,
		   .e_shnum = 3,
		   .e_shstrndx = 1}};
	struct elf e;
	struct usdt_arg args[10];
	struct why why;
	memcpy(f.h.e_ident, ELFMAG, SELFMAG);
	f.h.e_ident[EI_CLASS] = ELFCLASS64;
	f.h.e_ident[EI_DATA] = ELFDATA2LSB;
	memcpy(f.names, names, sizeof names);
	f.p = (Elf64_Phdr){.p_type = PT_LOAD, .p_flags = PF_X, .p_filesz = 1 << 20, .p_memsz = 1 << 20};
	f.s[1] = (Elf64_Shdr){
	    .sh_type = SHT_STRTAB, .sh_offset = (uint64_t)((char *)f.names - (char *)&f), .sh_size = sizeof names};
	f.s[2] = (Elf64_Shdr){.sh_name = 1, .sh_type = SHT_NOTE, .sh_offset = sizeof f, .sh_size = size};
	int fd = memfd_create("notes", MFD_CLOEXEC);
	if (fd < 0 || write(fd, &f, sizeof f) != sizeof f || write(fd, data, size) != (ssize_t)size)
		abort();
	struct budget b = budget_small();
	b.file[SPEND_NOTES] = 20;
	struct spending sp = spend_begin(&b);
	if (elf_read_fd(&e, fd, ELF_NOTES, &sp, &why)) {
		if (e.nnotes > 20 || sp.over)
			abort();
		for (size_t i = 0; i < e.nnotes; i++)
			usdt_parse(&ARCH_CODE, e.notestrs + e.notes[i].args, e.notes[i].pc, args, 10, symbol, &e);
		elf_free(&e);
	}
	close(fd);
}

/* Events of processes, in some bytes each, with lookups in between. The processes do not exist. */
static void
try_events(const uint8_t *data, size_t size)
{
	struct syms *s = syms_new();
	const char *mod, *sym;
	uint64_t off;
	if (!s)
		return;
	for (; size >= 8; data += 8, size -= 8) {
		int64_t pid = (1 << 30) + data[1] % 16;
		char path[32];
		uint64_t at = (uint64_t)data[2] << 12;
		snprintf(path, sizeof path, "/no/such/%d%s", data[4], data[5] & 1 ? " (deleted)" : "");
		struct sym_map m = {at, at + ((uint64_t)data[3] << 12), data[6], 77, data[4], path};
		switch (data[0] % 6) {
		case 0:
			syms_mapped(s, pid, &m);
			break;
		case 1:
			syms_forked(s, pid, (1 << 30) + data[2] % 16);
			break;
		case 2:
			syms_execed(s, pid);
			break;
		case 3:
			syms_exited(s, pid);
			break;
		case 4: /* very many */
			for (unsigned i = 0; i < 300; i++) {
				m.start = ((uint64_t)data[2] * 300 + i) << 12;
				m.end = m.start + 4096;
				m.ino = (uint64_t)data[7] * 1000 + i + 1;
				syms_mapped(s, pid, &m);
			}
			break;
		default:
			if (syms_lookup(s, pid, at, &mod, &sym, &off) && !*mod)
				abort();
			syms_start_of(s, pid, at, true);
			break;
		}
	}
	syms_free(s);
}

static void
try_table(const char *text, size_t size, bool kernel)
{
	struct symtable t = {0};
	if (kernel ? kallsyms_parse(&t, text, size) : perfmap_parse(&t, text, size, NULL))
		for (size_t i = 0; i < t.n; i++) {
			const struct symrow *r = symtable_find(&t, t.rows[i].start);
			if (kernel && (!r || r->start != t.rows[i].start))
				abort();
			symtable_find(&t, t.rows[i].start + t.rows[i].size);
		}
	symtable_free(&t);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct usdt_arg args[10];
	struct sym_map m;
	if (!size)
		return 0;
	char *text = malloc(size);
	if (!text)
		return 0;
	memcpy(text, data + 1, size - 1);
	text[size - 1] = '\0';
	switch (data[0]) {
	case 'p':
		try_table(text, size - 1, false);
		break;
	case 'k':
		try_table(text, size - 1, true);
		break;
	case 'm':
		proc_maps_line(text, &m);
		break;
	case 'a': {
		const struct arch_code *const all[] = {&arch_x86_64, &arch_aarch64};
		for (unsigned k = 0; k < 2; k++) {
			unsigned n = usdt_parse(all[k], text, 4096, args, 10, symbol, NULL);
			for (unsigned i = 0; i < n; i++)
				if (args[i].size > 8 || args[i].scale > 3 ||
				    (args[i].index != USDT_NOREG && args[i].index > (k ? 30 : 20)))
					abort();
		}
		break;
	}
	case 'd':
		try_debug(data + 1, size - 1);
		break;
	case 'n':
		try_notes(data + 1, size - 1);
		break;
	case 'w':
		try_events(data + 1, size - 1);
		break;
	case 'x':
		for (size_t i = 0; i < size - 1; i++)
			if (x86_length(data + 1 + i, size - 1 - i) > 15)
				abort();
		break;
	default:
		try_elf(data + 1, size - 1);
		break;
	}
	free(text);
	return 0;
}
