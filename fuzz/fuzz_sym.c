/*
 * What comes from traced processes: ELF files with symbols and USDT notes, the notes' arguments, perf maps, lines of
 * /proc/PID/maps, machine code. The first byte says which of them the rest is.
 */
#include "sym/elf.h"
#include "sym/syms.h"
#include "sym/tables.h"
#include "sym/usdt.h"
#include "sym/x86.h"

#include <stdlib.h>
#include <string.h>

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
	char why[64];
	uint64_t v;
	if (!elf_read_mem(&e, data, size, ELF_SYMS | ELF_DATA | ELF_NOTES, why, sizeof why))
		return;
	for (size_t i = 0; i < e.nnotes && i < 100; i++) {
		usdt_parse(e.notestrs + e.notes[i].args, e.notes[i].pc, args, 10, symbol, &e);
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
		unsigned n = usdt_parse(text, 4096, args, 10, symbol, NULL);
		for (unsigned i = 0; i < n; i++)
			if (args[i].size > 8 || args[i].scale > 3 ||
			    (args[i].index != USDT_NOREG && args[i].index > 20))
				abort();
		break;
	}
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
