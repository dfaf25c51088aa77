/* When the kernel's verifier refuses a program: what that means for the script. */
#include "engine/kernel/load/load.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Finds the last meaningful sentence of the verifier, up to the end of its line, and the instruction that it was
 * about ("12: (bf) r1 = r9" lines come before it). */
static void
read_log(const char *log, const char **said, size_t *len, uint32_t *at)
{
	static const char *const chatter[] = {"processed ", "verification time", "stack depth", "from ", "Validating ",
	    "Func#", "mark_precise", "arg#", "caller:", "callee:"};
	*said = "";
	*len = 0;
	*at = UINT32_MAX;
	for (const char *line = log, *next; *line; line = next) {
		size_t n = strcspn(line, "\n");
		next = line + n + (line[n] == '\n');
		char *end;
		unsigned long insn = strtoul(line, &end, 10);
		bool skip = n == 0 || *line == ';';
		if (end != line && *end == ':') {
			*at = (uint32_t)insn;
			skip = true;
		}
		for (unsigned i = 0; i < sizeof chatter / sizeof *chatter; i++)
			skip |= strncmp(line, chatter[i], strlen(chatter[i])) == 0;
		if (!skip) {
			*said = line;
			*len = n;
		}
	}
}

static bool
says(const char *said, size_t len, const char *part)
{
	return memmem(said, len, part, strlen(part)) != NULL;
}

/* What the verifier's answer means for the script. */
void
load_explain(struct load *l, int err, struct why *why)
{
	static const struct {
		const char *part, *meaning;
	} known[] = {
	    {"program is too large",
		"they are more than the kernel's verifier takes at once: use fewer or shorter clauses"},
	    {"too many", "they are more than the kernel's verifier takes at once: use fewer or shorter clauses"},
	    {"is too complex", "they are more than the kernel's verifier takes at once: use fewer or shorter clauses"},
	    {"frames is too deep", "they nest functions deeper than the kernel allows: use variables in between"},
	    {"combined stack size", "they nest functions deeper than the kernel allows: use variables in between"},
	    {"unknown func", "this kernel lacks or forbids a function that they need"},
	};
	const struct kprobe *k = &l->e->probes[l->use->probes[0]];
	const char *said;
	char where[64] = "";
	size_t len;
	uint32_t at;
	read_log(l->e->log, &said, &len, &at);
	for (uint32_t i = l->nstarts; i-- > 0;)
		if (at != UINT32_MAX && at >= l->starts[i] && at < l->end) {
			snprintf(where, sizeof where, ", line %u", l->e->o->clauses[l->clauses[i]].line);
			break;
		}
	const char *meaning = err == E2BIG ? known[0].meaning : NULL;
	for (unsigned i = 0; !meaning && i < sizeof known / sizeof *known; i++)
		if (says(said, len, known[i].part))
			meaning = known[i].meaning;
	if (!len) {
		said = strerror(err);
		len = strlen(said);
	}
	why_set(why, "the kernel refuses the clauses of %s:%s:%s:%s%s%s: %s%s%.*s (-xbpflog shows all that it says)",
	    k->names[0], k->names[1], k->names[2], k->names[3], l->use->nprobes > 1 ? " and others" : "", where,
	    meaning ? meaning : "", meaning ? ": " : "", (int)(len < 160 ? len : 160), said);
}
