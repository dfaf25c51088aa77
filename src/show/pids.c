/* See pids.h. */
#include "show/pids.h"

#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

/* At most MOST of them have names, because a script may meet millions. Processes that are new in one turn are
 * asked for in a few requests; if there are more, the rest waits for the next turn. A process may get its name late. */
enum { MOST = 1 << 16, ONCE = 512, ROUNDS = 8, OLD_NS = 2000000000 };

/* Reads N numbers with dots between them up to '>', the last character. */
static bool
are_numbers(const char *s, size_t len, unsigned n)
{
	size_t i = 0;
	for (unsigned k = 0; k < n; k++) {
		size_t from = i;
		while (i < len && s[i] >= '0' && s[i] <= '9')
			i++;
		if (i == from || i >= len || s[i] != (k + 1 < n ? '.' : '>'))
			return false;
		i++;
	}
	return i == len;
}

/* Returns whether a text may have a name on the node that printed it: the pid of one of its processes, <0.85.0>, a
 * reference, which may be a table's, #Ref<0.1.2.3>, or a port, #Port<0.5>. */
static bool
is_nameable(const char *s, size_t len)
{
	static const struct {
		const char *begins;
		unsigned numbers;
	} kinds[] = {{"<0.", 2}, {"#Ref<0.", 3}, {"#Port<0.", 1}};
	if (len >= sizeof((struct pid_name *)0)->pid)
		return false;
	for (unsigned i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		size_t n = strlen(kinds[i].begins);
		if (len > n && memcmp(s, kinds[i].begins, n) == 0)
			return are_numbers(s + n, len - n, kinds[i].numbers);
	}
	return false;
}

/* Returns the slot of a pid, or the free slot where it belongs. */
static unsigned *
slot_of(const struct pids *p, const char *s, size_t len)
{
	unsigned at = (unsigned)hash_bytes(s, len) & (p->nslots - 1);
	while (p->slots[at]) {
		const struct pid_name *e = &p->all[p->slots[at] - 1];
		if (strlen(e->pid) == len && memcmp(e->pid, s, len) == 0)
			break;
		at = (at + 1) & (p->nslots - 1);
	}
	return &p->slots[at];
}

static bool
grow(struct pids *p)
{
	unsigned cap = p->cap ? 2 * p->cap : 64;
	struct pid_name *all = realloc(p->all, cap * sizeof *all);
	if (all)
		p->all = all;
	unsigned *slots = calloc(2 * (size_t)cap, sizeof *slots);
	if (!all || !slots) {
		free(slots);
		return false;
	}
	free(p->slots);
	p->slots = slots;
	p->nslots = 2 * cap;
	p->cap = cap;
	for (unsigned i = 0; i < p->n; i++)
		*slot_of(p, p->all[i].pid, strlen(p->all[i].pid)) = i + 1;
	return true;
}

void
pids_note(struct pids *p, const char *s, size_t len, uint64_t now)
{
	if (!is_nameable(s, len))
		return;
	unsigned *slot = p->nslots ? slot_of(p, s, len) : NULL;
	if (!slot || !*slot) {
		if (p->n >= MOST || (p->n == p->cap && !grow(p)))
			return;
		slot = slot_of(p, s, len);
		struct pid_name *e = &p->all[p->n++];
		*e = (struct pid_name){.name = NULL};
		memcpy(e->pid, s, len);
		*slot = p->n;
	}
	struct pid_name *e = &p->all[*slot - 1];
	if (e->is_due || (e->asked && (!now || (e->name && now - e->asked < OLD_NS))))
		return;
	e->is_due = true;
	p->ndue++;
}

struct pids_query {
	struct pids *p;
	const unsigned *which;
};

/* A process that is gone keeps its last name. */
static void
on_name(void *arg, unsigned i, const char *name)
{
	struct pids_query *a = arg;
	struct pid_name *e = &a->p->all[a->which[i]];
	char *copy = *name ? strdup(name) : NULL;
	if (!copy)
		return;
	free(e->name);
	e->name = copy;
}

void
pids_ask(struct pids *p, pids_names_f *names, void *arg, uint64_t now)
{
	const char *texts[ONCE];
	unsigned which[ONCE], i = 0;
	for (unsigned round = 0; p->ndue && round < ROUNDS; round++) {
		struct pids_query a = {p, which};
		unsigned n = 0;
		for (; i < p->n && n < ONCE; i++) {
			if (!p->all[i].is_due)
				continue;
			p->all[i].is_due = false;
			p->all[i].asked = now;
			p->ndue--;
			texts[n] = p->all[i].pid;
			which[n++] = i;
		}
		if (n)
			names(arg, texts, n, on_name, &a);
	}
}

const char *
pids_name(const struct pids *p, const char *s, size_t len)
{
	if (!p->nslots || !is_nameable(s, len))
		return NULL;
	unsigned at = *slot_of(p, s, len);
	return at ? p->all[at - 1].name : NULL;
}

void
pids_free(struct pids *p)
{
	for (unsigned i = 0; i < p->n; i++)
		free(p->all[i].name);
	free(p->all);
	free(p->slots);
	*p = (struct pids){0};
}
