/*
 * Writes the assembler source of the library's USDT sites to standard output: the build runs this.
 *
 * A site is a function of its own that does nothing: one nop, on which the kernel can put a breakpoint, and a return.
 * It gets the address of its arguments, which are words of 8 bytes. So the note of a site says of each argument how far
 * it is from the first argument register, and all sites have the same form on every processor. Names and types are from
 * the table of the erlang provider; terms are left out, because nobody outside the VM can take them apart.
 *
 * The notes are as SystemTap's sys/sdt.h makes them (version 3 of its format), each with a semaphore that the kernel
 * raises for each consumer. One nop of one byte: the longer ones that newer kernels treat specially are not safe
 * everywhere.
 */
#include "arch/arch.h"
#include "arch/code.h"
#include "provider/erlang_probes.h"

#include <stdio.h>
#include <string.h>

enum { EVENTS = 16 }; /* HUB_SCRIPTS */

static const struct erl_row rows[ERL_NROWS] = {
#define X(id, name, aliases, types, arguments, ...) [ERLP_##id] = {name, aliases, types, arguments, {__VA_ARGS__}},
    ERL_PROBES(X)
#undef X
};

static bool
has_site(const struct erl_row *r)
{
	return r->needs.source != ES_KERNEL && r->needs.source != ES_NEVER;
}

static void
code(const char *name, int n)
{
	printf("\t.balign 16\n\t.type %s%d, %%function\n%s%d:\n\tnop\n\tret\n\t.size %s%d, . - %s%d\n", name, n, name,
	    n, name, n, name, n);
}

/* Two underscores for a dash. */
static void
note_name(const char *name)
{
	for (; *name; name++)
		printf(*name == '-' ? "__" : "%c", *name);
}

static void
note_arguments(const struct arch_code *m, const char *types)
{
	for (int n = 0; *types; n++) {
		size_t len = strcspn(types, ",");
		if (len == 4 && strncmp(types, "term", 4) == 0)
			break;
		bool is_signed = strncmp(types, "int", 3) == 0;
		bool is_half = (len == 3 && is_signed) || strncmp(types, "uint32_t", 8) == 0;
		printf("%s", n ? " " : "");
		printf(m->site_argument, is_signed ? "-" : "", is_half ? 4 : 8, 8 * n);
		types += len + (types[len] == ',');
	}
}

static void
note(const struct arch_code *m, const struct erl_row *r, int n)
{
	printf("\t.section .note.stapsdt, \"\", %%note\n\t.balign 4\n"
	       "\t.4byte 992f-991f, 994f-993f, 3\n991:\t.asciz \"stapsdt\"\n992:\t.balign 4\n"
	       "993:\t.8byte et_site_%d, _.stapsdt.base, et_semaphore_%d\n\t.asciz \"erlang\"\n\t.asciz \"",
	    n, n);
	note_name(r->name);
	printf("\"\n\t.asciz \"");
	note_arguments(m, r->types);
	printf("\"\n994:\t.balign 4\n");
}

static void
table(const struct arch_code *m, const char *name, const char *entry, const char *second)
{
	int n = second ? ERL_NROWS : EVENTS;
	printf("\t.section .data.rel.ro, \"aw\", %%progbits\n\t.balign 8\n\t.globl %s\n\t.hidden %s\n%s:\n", name, name,
	    name);
	for (int i = 0; i < n; i++)
		if (m && second && has_site(&rows[i]))
			printf("\t.8byte %s%d, %s%d\n", entry, i, second, i);
		else if (second)
			printf("\t.8byte 0, 0\n");
		else if (m)
			printf("\t.8byte %s%d\n", entry, i);
		else
			printf("\t.8byte 0\n");
}

/* make_sites MACHINE. On a processor that is not known there are no sites: then the tables are empty. */
int
main(int argc, char **argv)
{
	const struct arch_code *m = NULL;
#define IF_IT_IS(machine) \
	if (argc == 2 && strcmp(argv[1], #machine) == 0) \
		m = &arch_##machine;
	ARCH_MACHINES(IF_IT_IS)
#undef IF_IT_IS
	printf("\t.section .note.GNU-stack, \"\", %%progbits\n"
	       "\t.section .stapsdt.base, \"a\", %%progbits\n_.stapsdt.base:\n\t.space 1\n\t.text\n");
	for (int i = 0; m && i < ERL_NROWS; i++)
		if (has_site(&rows[i]))
			code("et_site_", i);
	for (int i = 0; m && i < EVENTS; i++)
		code("et_event_", i);
	printf("\t.section .probes, \"aw\", %%progbits\n\t.balign 2\n");
	for (int i = 0; m && i < ERL_NROWS; i++)
		if (has_site(&rows[i]))
			printf("et_semaphore_%d:\n\t.2byte 0\n", i);
	for (int i = 0; m && i < ERL_NROWS; i++)
		if (has_site(&rows[i]))
			note(m, &rows[i], i);
	table(m, "et_sites", "et_site_", "et_semaphore_");
	table(m, "et_events", "et_event_", NULL);
	return ferror(stdout) || fclose(stdout) ? 1 : 0;
}
