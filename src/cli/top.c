/*
 * `erltrace -N shop top`: what a node does, by process or by function.
 *
 * What runs is sampled 97 times a second on each scheduler. Messages and garbage collections are counted where they
 * happen. By function only samples are taken, and the calls of the functions that they find are counted for a moment
 * (slice.c), which costs next to nothing. Each look takes everything out of the aggregations: processes come and go,
 * and those that have ended must not be kept. Message queues are looked at once a second, also if the interval is
 * shorter: what was found last stays until something is found again. A queue that has become empty is found, too.
 */
#include "cli/live.h"

#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

enum { HZ = 97, NUMBER = 8, PLAIN_LINES = 20, COUNTED = 20 };

/* The aggregations are told apart by these names. */
static const char by_function[] = "profile-97 { @ran[eproc, name(eproc), copyinstr(arg1)] = count(); }\n";
static const char by_process[] =
    "profile-97 { @ran[eproc, name(eproc), copyinstr(arg1)] = count(); }\n"
    "erlang*:::message-send, erlang*:::message-send-remote { @sent[copyinstr(arg0), name(copyinstr(arg0))] = count(); }\n"
    "erlang*:::message-queued { @got[copyinstr(arg0), name(copyinstr(arg0))] = count(); }\n"
    "erlang*:::gc_minor-start, erlang*:::gc_major-start { self->gc = timestamp; }\n"
    "erlang*:::gc_minor-end, erlang*:::gc_major-end /self->gc/ {\n"
    "\t@gcs[copyinstr(arg0), name(copyinstr(arg0))] = count();\n"
    "\t@gctime[copyinstr(arg0), name(copyinstr(arg0))] = sum(timestamp - self->gc);\n"
    "\tself->gc = 0;\n"
    "}\n"
    "erlang*:::mailbox-1s { @queue[copyinstr(arg0), name(copyinstr(arg0))] = max(arg1); }\n";

enum col { RAN, SENT, GOT, QUEUE, GCS, GCTIME, NCOLS };
static const struct {
	const char *agg, *title, *word;
	char key;
} cols[NCOLS] = {
    {"ran", "RUN %", "run", 'r'},
    {"sent", "SENT/s", "sent", 's'},
    {"got", "GOT/s", "got", 'g'},
    {"queue", "QUEUE", "queue", 'm'},
    {"gcs", "GC/s", "gc", 'c'},
    {"gctime", "GC %", "gctime", 't'},
};

struct top_line {
	char *name;
	char *label; /* of a process: its name besides its pid, or NULL */
	char *most;  /* the function that it was seen in most often */
	uint64_t nmost;
	uint64_t n[NCOLS];
	double calls; /* calls per second of a function; < 0 if unknown */
};

struct lines {
	struct top_line *at;
	unsigned *slots; /* [2 * room]: index plus one, by hash of the name */
	unsigned n, room;
};

struct top {
	const struct cli *c;
	struct lines processes, functions;
	struct lines queues; /* as they were found last; of each line only its name, its label and n[QUEUE] */
	bool has_queues;     /* found in this look */
	uint64_t all[NCOLS];
	bool functions_only, by_functions;
	enum col sort;
	bool failed;
};

const char *
top_program(const struct cli *c)
{
	return c->by && strcmp(c->by, "function") == 0 ? by_function : by_process;
}

struct top *
top_new(const struct cli *c)
{
	struct top *t = calloc(1, sizeof *t);
	if (!t)
		return NULL;
	t->c = c;
	t->functions_only = t->by_functions = top_program(c) == by_function;
	for (unsigned i = 0; c->sort && i < NCOLS; i++)
		if (strcmp(c->sort, cols[i].word) == 0)
			t->sort = (enum col)i;
	return t;
}

static void
forget(struct lines *all)
{
	for (unsigned i = 0; i < all->n; i++) {
		free(all->at[i].name);
		free(all->at[i].label);
		free(all->at[i].most);
	}
	all->n = 0;
	if (all->slots)
		memset(all->slots, 0, 2 * all->room * sizeof *all->slots);
}

void
top_free(struct top *t)
{
	if (!t)
		return;
	forget(&t->processes);
	forget(&t->functions);
	forget(&t->queues);
	free(t->processes.at);
	free(t->processes.slots);
	free(t->queues.at);
	free(t->queues.slots);
	free(t->functions.at);
	free(t->functions.slots);
	free(t);
}

static const char *
key_text(const struct et_aggdata *d, unsigned i)
{
	return i < d->nkeys && d->keys[i].kind == ET_K_STRING ? d->keys[i].data : "";
}

/* Returns the slot of a name, or the free slot where it belongs. */
static unsigned *
slot_of(const struct lines *all, const char *name)
{
	unsigned at = (unsigned)hash_bytes(name, strlen(name)) & (2 * all->room - 1);
	while (all->slots[at] && strcmp(all->at[all->slots[at] - 1].name, name) != 0)
		at = (at + 1) & (2 * all->room - 1);
	return &all->slots[at];
}

static bool
grow(struct lines *all)
{
	unsigned room = all->room ? all->room * 2 : 256;
	struct top_line *more = realloc(all->at, room * sizeof *more);
	unsigned *slots = calloc(2 * room, sizeof *slots);
	if (more)
		all->at = more;
	if (!more || !slots) {
		free(slots);
		return false;
	}
	free(all->slots);
	all->slots = slots;
	all->room = room;
	for (unsigned i = 0; i < all->n; i++)
		*slot_of(all, all->at[i].name) = i + 1;
	return true;
}

static struct top_line *
find(struct lines *all, const char *name)
{
	if (all->n == all->room && !grow(all))
		return NULL;
	unsigned *slot = slot_of(all, name);
	if (*slot)
		return &all->at[*slot - 1];
	struct top_line *l = &all->at[all->n];
	*l = (struct top_line){.name = strdup(name)};
	if (!l->name)
		return NULL;
	*slot = ++all->n;
	return l;
}

static void
add(struct top *t, struct lines *all, enum col col, const char *name, const char *function, uint64_t n)
{
	struct top_line *l = find(all, name);
	if (!l) {
		t->failed = true;
		return;
	}
	l->n[col] += n;
	if (function && n > l->nmost) {
		char *copy = strdup(function);
		if (copy) {
			free(l->most);
			l->most = copy;
			l->nmost = n;
		}
		t->failed |= !copy;
	}
}

/* Without a name, a process is shown by its pid. */
static void
name_it(struct top *t, struct lines *all, const char *pid, const char *label)
{
	struct top_line *l = find(all, pid);
	if (!l || l->label || !*label || strcmp(pid, label) == 0)
		return;
	l->label = strdup(label);
	t->failed |= !l->label;
}

static void
on_queue(struct top *t, const struct et_aggdata *d)
{
	if (!t->has_queues)
		forget(&t->queues);
	t->has_queues = true;
	if (d->raw <= 0)
		return;
	add(t, &t->queues, QUEUE, key_text(d, 0), NULL, (uint64_t)d->raw);
	name_it(t, &t->queues, key_text(d, 0), key_text(d, 1));
}

static void
add_queues(struct top *t)
{
	for (unsigned i = 0; i < t->queues.n; i++) {
		const struct top_line *l = &t->queues.at[i];
		add(t, &t->processes, QUEUE, l->name, NULL, l->n[QUEUE]);
		if (l->label)
			name_it(t, &t->processes, l->name, l->label);
	}
}

static enum et_aggwalk
on_element(struct et_aggdata *d, void *arg)
{
	struct top *t = arg;
	if (strcmp(d->name, cols[QUEUE].agg) == 0)
		on_queue(t, d);
	for (unsigned i = 0; i < NCOLS; i++) {
		if (i == QUEUE || strcmp(d->name, cols[i].agg) != 0 || d->raw <= 0)
			continue;
		uint64_t n = (uint64_t)d->raw;
		t->all[i] += n;
		add(t, &t->processes, (enum col)i, key_text(d, 0), i == RAN ? key_text(d, 2) : NULL, n);
		name_it(t, &t->processes, key_text(d, 0), key_text(d, 1));
		if (i == RAN)
			add(t, &t->functions, RAN, key_text(d, 2), NULL, n);
	}
	return t->failed ? ET_AGGWALK_ABORT : ET_AGGWALK_REMOVE;
}

static enum col sorting; /* qsort has no argument */

static int
compare(const void *x, const void *y)
{
	const struct top_line *a = x, *b = y;
	if (a->n[sorting] != b->n[sorting])
		return a->n[sorting] < b->n[sorting] ? 1 : -1;
	for (unsigned i = 0; i < NCOLS; i++)
		if (a->n[i] != b->n[i])
			return a->n[i] < b->n[i] ? 1 : -1;
	return strcmp(a->name, b->name);
}

static void
sort(struct lines *all, enum col by)
{
	sorting = by;
	/* after this the slots are wrong; nobody uses them until all are forgotten */
	if (all->n)
		qsort(all->at, all->n, sizeof *all->at, compare);
}

/* Counts how often the functions that run most are called. */
static void
count_calls(struct top *t)
{
	const char *names[COUNTED];
	double rates[COUNTED];
	unsigned n = 0;
	sort(&t->functions, RAN);
	for (; n < t->functions.n && n < COUNTED; n++)
		names[n] = t->functions.at[n].name;
	bool known = slice_calls(t->c, names, n, rates);
	for (unsigned i = 0; i < t->functions.n; i++)
		t->functions.at[i].calls = known && i < n ? rates[i] : -1;
}

bool
top_take(struct top *t, struct et *h)
{
	forget(&t->processes);
	forget(&t->functions);
	memset(t->all, 0, sizeof t->all);
	t->has_queues = false;
	if (et_aggregate_snap(h) != 0 || et_aggregate_walk(h, ET_AGGSORT_NONE, on_element, t) != 0 || t->failed)
		return false;
	add_queues(t);
	if (t->by_functions)
		count_calls(t);
	return true;
}

/* What a column shows of a number. */
static double
value(enum col col, uint64_t n, double seconds)
{
	double v = (double)n / (seconds > 0 ? seconds : 1);
	if (col == QUEUE)
		return (double)n;
	return col == RAN ? v * 100 / (double)HZ : col == GCTIME ? v / 1e9 * 100 : v;
}

static void
number(struct sbuf *b, double v)
{
	struct sbuf text = {0};
	if (v != 0)
		screen_rate(&text, v);
	sb_printf(b, " %*s", NUMBER - 1, text.at ? text.at : "");
	sb_free(&text);
}

static void
draw_head(const struct top *t, const struct screen *s, struct sbuf *b, unsigned ncols, int width)
{
	struct sbuf line = {0};
	screen_text(s, &line, t->by_functions ? "FUNCTION" : "PROCESS", width);
	for (unsigned i = 0; i < ncols; i++)
		sb_printf(&line, " %*s", NUMBER - 1, cols[i].title);
	sb_adds(&line, t->by_functions ? "   CALLS/s" : "  MOST SEEN IN");
	screen_heading(s, b, line.at ? line.at : "");
	sb_free(&line);
}

void
top_draw(struct top *t, const struct screen *s, struct sbuf *b, const char *node, double seconds)
{
	struct lines *all = t->by_functions ? &t->functions : &t->processes;
	unsigned ncols = t->by_functions ? 1 : NCOLS;
	int rest = (int)s->cols - (int)(t->by_functions ? ncols + 2 : ncols) * NUMBER;
	int width = t->by_functions ? (rest < 60 ? rest : 60) : rest / 2 < 40 ? rest / 2 : 40;
	if (width < 16)
		width = 16;
	sb_printf(b, "%s: ran on %.2f schedulers", node, value(RAN, t->all[RAN], seconds) / 100);
	if (!t->functions_only) {
		sb_adds(b, ", ");
		screen_rate(b, value(SENT, t->all[SENT], seconds));
		sb_adds(b, " messages/s, ");
		screen_rate(b, value(GCS, t->all[GCS], seconds));
		sb_printf(b, " collections/s that took %.1f %%", value(GCTIME, t->all[GCTIME], seconds));
	}
	sb_adds(b, "\n");
	draw_head(t, s, b, ncols, width);
	sort(all, t->by_functions ? RAN : t->sort);
	unsigned lines = s->is_live ? (s->rows > 5 ? s->rows - 5 : 1) : PLAIN_LINES;
	for (unsigned i = 0; i < all->n && i < lines; i++) {
		const struct top_line *l = &all->at[i];
		char name[512];
		snprintf(name, sizeof name, "%s%s%s", l->name, l->label ? " " : "", l->label ? l->label : "");
		screen_text(s, b, name, width);
		for (unsigned k = 0; k < ncols; k++)
			number(b, value((enum col)k, l->n[k], seconds));
		if (t->by_functions) {
			sb_addc(b, ' ');
			number(b, l->calls > 0 ? l->calls : 0);
		}
		if (!t->by_functions && l->most && rest - width > 4) {
			sb_adds(b, "  ");
			screen_text(s, b, l->most, rest - width - 2);
		}
		while (b->len && b->at[b->len - 1] == ' ')
			b->len--;
		sb_adds(b, "\n");
	}
}

bool
top_key(struct top *t, int key)
{
	if (key == 'f' || key == 'p') {
		t->by_functions = key == 'f' || t->functions_only;
		return true;
	}
	for (unsigned i = 0; i < NCOLS; i++)
		if (cols[i].key == key) {
			t->sort = (enum col)i;
			return true;
		}
	return false;
}
