/*
 * The ready-made scripts (scripts/ of the sources): `erltrace scripts`, and `erltrace -N shop messages 5`.
 *
 * They are part of the command. A folder named by --scripts or $ERLTRACE_SCRIPTS comes first, then the one that `make
 * install` has filled beside the command. So a script that was changed there runs as changed.
 *
 * The first comment of a script says what it answers. A paragraph that begins with "Cost: " says what that costs.
 * Separate lines say what it needs:
 *
 *	@needs node                       or: kernel, nothing
 *	@arg SECONDS number optional: how long; without it until Ctrl-C
 *	@pairs                            its records are the two ends of messages between nodes: pairs.c
 *
 * An argument is a number, a string (the script reads it as $$1), a module, or a process: a pid or a registered name,
 * of which the script gets the pid as a string. A script without @needs takes what it gets.
 */
#include "cli/cli.h"

#include "base/sbuf.h"
#include "base/strmap.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_ARGS = CLI_MOST_ARGS, MOST_SCRIPT = 1 << 20 };

struct carried {
	const char *name, *text;
};
static const struct carried carried[] = {
#include "scripts.inc"
};
enum { NCARRIED = sizeof carried / sizeof *carried };

enum needs { NEEDS_UNSAID, NEEDS_NODE, NEEDS_KERNEL, NEEDS_NOTHING };
static const char *const needs_words[] = {"", "node", "kernel", "nothing"};

enum arg_type { ARG_NUMBER, ARG_STRING, ARG_MODULE, ARG_PROCESS };
static const struct {
	const char *word, *text;
} types[] = {{"number", "a number"}, {"string", "a text"}, {"module", "the name of a module"},
    {"process", "a pid or a registered name"}};

struct arg {
	char name[32], meaning[160];
	enum arg_type type;
	bool optional;
};

struct header {
	char answer[800], cost[400];
	enum needs needs;
	struct arg args[MOST_ARGS];
	unsigned nargs;
	bool pairs;
	char flags[16]; /* from its interpreter line, without the s */
};

/* -- headers ----------------------------------------------------------------------------------------------------- */

static void
parse_arg(struct header *h, const char *line)
{
	char type[16] = "", more[16] = "";
	int end = 0;
	if (h->nargs == MOST_ARGS)
		return;
	struct arg *a = &h->args[h->nargs];
	*a = (struct arg){0};
	if (sscanf(line, "%31s %15[a-z]%n %15[a-z]%n", a->name, type, &end, more, &end) < 2 || line[end] != ':')
		return;
	for (unsigned i = 0; i < sizeof types / sizeof *types; i++)
		if (strcmp(types[i].word, type) == 0)
			a->type = (enum arg_type)i;
	a->optional = strcmp(more, "optional") == 0;
	line += end + 1;
	line += *line == ' ';
	snprintf(a->meaning, sizeof a->meaning, "%s", line);
	h->nargs++;
}

static void
add_words(char *to, size_t size, const char *line)
{
	size_t have = strlen(to);
	snprintf(to + have, size - have, "%s%s", have ? " " : "", line);
}

/* Paragraphs: the first is the answer, one may be the cost. */
enum part { PART_ANSWER, PART_COST, PART_OTHER };

static void
parse_line(struct header *h, const char *line, enum part *part)
{
	if (strncmp(line, "@needs ", 7) == 0) {
		for (unsigned i = 1; i < sizeof needs_words / sizeof *needs_words; i++)
			if (strcmp(line + 7, needs_words[i]) == 0)
				h->needs = (enum needs)i;
	} else if (strcmp(line, "@pairs") == 0)
		h->pairs = true;
	else if (strncmp(line, "@arg ", 5) == 0)
		parse_arg(h, line + 5);
	else if (!*line)
		*part = h->answer[0] ? PART_OTHER : PART_ANSWER;
	else if (*part == PART_ANSWER)
		add_words(h->answer, sizeof h->answer, line);
	else if (*part == PART_COST || strncmp(line, "Cost: ", 6) == 0) {
		*part = PART_COST;
		add_words(h->cost, sizeof h->cost, line);
	}
}

static void
parse_header(const char *text, struct header *h)
{
	*h = (struct header){0};
	const char *run = strncmp(text, "#!", 2) == 0 ? strstr(text, "erltrace -") : NULL;
	if (run && run < text + strcspn(text, "\n"))
		sscanf(run, "erltrace -%15[A-Za-rt-z]", h->flags);
	const char *at = strstr(text, "/*"), *end = at ? strstr(at, "*/") : NULL;
	enum part part = PART_ANSWER;
	for (at = at ? at + 2 : at; end && at < end;) {
		char line[256];
		size_t len = strcspn(at, "\n"), skip = strspn(at, " *\t");
		const char *from = skip < len ? at + skip : at + len, *to = at + len < end ? at + len : end;
		while (to > from && to[-1] == ' ')
			to--;
		snprintf(line, sizeof line, "%.*s", to > from ? (int)(to - from) : 0, from);
		/* the opening line has no text */
		if (at[-1] != '*' || line[0])
			parse_line(h, line, &part);
		at += len + (at[len] == '\n');
	}
}

/* How to call it: "messages [SECONDS]". */
static void
usage(struct sbuf *b, const char *name, const struct header *h)
{
	sb_adds(b, name);
	for (unsigned i = 0; i < h->nargs; i++)
		sb_printf(b, h->args[i].optional ? " [%s]" : " %s", h->args[i].name);
}

/* -- finding ----------------------------------------------------------------------------------------------------- */

/* Returns folder i, in search order, or NULL if there are no more. */
static const char *
folder(const struct cli *c, unsigned i, char *path, size_t size)
{
	const char *given = c->script_dir ? c->script_dir : getenv("ERLTRACE_SCRIPTS");
	bool has_given = given && *given;
	if (i == 0 && has_given)
		return given;
	if (i != (unsigned)has_given)
		return NULL;
	ssize_t n = readlink("/proc/self/exe", path, size - 1);
	if (n <= 0)
		return NULL;
	path[n] = '\0';
	char *slash = strrchr(path, '/');
	static const char there[] = "/../share/erltrace/scripts";
	if (!slash || (size_t)(slash - path) + sizeof there > size)
		return NULL;
	memcpy(slash, there, sizeof there);
	return path;
}

static char *
read_file(const char *dir, const char *name)
{
	char path[4096];
	struct sbuf b = {0};
	snprintf(path, sizeof path, "%s/%s.d", dir, name);
	FILE *fp = fopen(path, "re");
	if (!fp)
		return NULL;
	sb_add(&b, "", 0);
	bool ok = sb_read(&b, fp, MOST_SCRIPT);
	fclose(fp);
	char *text = sb_take(&b);
	if (ok)
		return text;
	free(text);
	return NULL;
}

/* Returns the text of a script, or NULL if there is none of this name. *heap must be freed afterwards. */
static const char *
find_script(const struct cli *c, const char *name, char **heap)
{
	char path[4096];
	const char *dir;
	*heap = NULL;
	for (unsigned i = 0; !*heap && (dir = folder(c, i, path, sizeof path)); i++)
		*heap = read_file(dir, name);
	for (unsigned i = 0; !*heap && i < NCARRIED; i++)
		if (strcmp(carried[i].name, name) == 0)
			return carried[i].text;
	return *heap;
}

const char *
cli_near_script(const char *word)
{
	const char *names[NCARRIED];
	for (unsigned i = 0; i < NCARRIED; i++)
		names[i] = carried[i].name;
	return near_miss(word, names, NCARRIED);
}

/* -- listing ----------------------------------------------------------------------------------------------------- */

struct script_names {
	char **at;
	size_t n;
	bool failed;
};

static void
add_name(struct script_names *all, const char *name, size_t len)
{
	for (size_t i = 0; i < all->n; i++)
		if (strlen(all->at[i]) == len && strncmp(all->at[i], name, len) == 0)
			return;
	char **more = realloc(all->at, (all->n + 1) * sizeof *more), *copy = strndup(name, len);
	if (more)
		all->at = more;
	if (!more || !copy) {
		free(copy);
		all->failed = true;
		return;
	}
	all->at[all->n++] = copy;
}

static void
add_folder(struct script_names *all, const char *dir)
{
	DIR *d = opendir(dir);
	for (struct dirent *e; d && (e = readdir(d));) {
		size_t len = strlen(e->d_name);
		if (len > 2 && strcmp(e->d_name + len - 2, ".d") == 0)
			add_name(all, e->d_name, len - 2);
	}
	if (d)
		closedir(d);
}

static int
by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static struct script_names
all_names(const struct cli *c)
{
	struct script_names all = {0};
	char path[4096];
	const char *dir;
	for (unsigned i = 0; (dir = folder(c, i, path, sizeof path)); i++)
		add_folder(&all, dir);
	for (unsigned i = 0; i < NCARRIED; i++)
		add_name(&all, carried[i].name, strlen(carried[i].name));
	qsort(all.at, all.n, sizeof *all.at, by_name);
	return all;
}

/* Only the question, and that it costs much: the rest is for those who want to run the script. */
static int
question(const char *answer)
{
	const char *end = strchr(answer, '?');
	return end ? (int)(end - answer) + 1 : (int)strlen(answer);
}

/* The sentence of the answer that begins with "Costs ", with its full stop. Returns its length, or 0 if there is none.
 */
static int
cost_sentence(const char *answer, const char **from)
{
	const char *at = strstr(answer, " Costs "), *end = at;
	if (!at)
		return 0;
	while ((end = strchr(end, '.')) && end[1] && end[1] != ' ')
		end++;
	*from = at + 1;
	return end ? (int)(end + 1 - *from) : (int)strlen(*from);
}

static void
list_those(const struct cli *c, const struct script_names *all, enum needs needs, const char *heading)
{
	bool first = true;
	for (size_t i = 0; i < all->n; i++) {
		char *heap;
		const char *text = find_script(c, all->at[i], &heap);
		struct header h;
		struct sbuf how = {0};
		if (text)
			parse_header(text, &h);
		if (text && h.needs == needs) {
			usage(&how, all->at[i], &h);
			if (first)
				fprintf(c->out, "%s\n", heading);
			const char *costs = "";
			int cost_len = cost_sentence(h.answer, &costs);
			fprintf(c->out, "  %-32s %.*s%s%.*s\n", how.at ? how.at : "", question(h.answer), h.answer,
			    cost_len ? " " : "", cost_len, costs);
			first = false;
		}
		sb_free(&how);
		free(heap);
	}
	if (!first)
		fputc('\n', c->out);
}

static void
print_args(const struct header *h, FILE *fp)
{
	for (unsigned i = 0; i < h->nargs; i++)
		fprintf(fp, "  %-10s %s%s: %s\n", h->args[i].name, types[h->args[i].type].text,
		    h->args[i].optional ? ", may be left out" : "", h->args[i].meaning);
}

static const char *
before_name(const struct header *h)
{
	return h->pairs ? "-N NODE -N NODE " : h->needs == NEEDS_NODE ? "-N NODE " : "";
}

static int
describe(struct cli *c, const char *name)
{
	char *heap;
	const char *text = find_script(c, name, &heap);
	struct header h;
	struct sbuf how = {0};
	if (!text) {
		const char *near = cli_near_script(name);
		cli_error(c, "there is no script '%s'%s%s%s; `%s scripts` lists them", name,
		    near ? ", did you mean '" : "", near ? near : "", near ? "'?" : "", c->pname);
		return EXIT_ERROR;
	}
	parse_header(text, &h);
	usage(&how, name, &h);
	fprintf(c->out, "%s\n", h.answer);
	if (h.cost[0])
		fprintf(c->out, "%s\n", h.cost);
	fprintf(c->out, "\n  %s %s%s\n", c->pname, before_name(&h), how.at ? how.at : name);
	if (h.nargs)
		fputc('\n', c->out);
	print_args(&h, c->out);
	sb_free(&how);
	free(heap);
	return EXIT_OK;
}

bool
cli_script_costs(const char *text, char *what, size_t size)
{
	struct header h;
	const char *costs = "";
	parse_header(text, &h);
	int len = cost_sentence(h.answer, &costs);
	/* in the middle of a sentence, and without the full stop */
	snprintf(what, size, "%s%.*s", len ? "c" : "", len > 2 ? len - 2 : 0, costs + (len > 0));
	return len > 0;
}

int
cli_list_scripts(struct cli *c)
{
	if (c->nargs > 2)
		return describe(c, c->args[2]);
	struct script_names all = all_names(c);
	list_those(c, &all, NEEDS_NODE, "On an Erlang node (erltrace -N NODE NAME):");
	list_those(c, &all, NEEDS_KERNEL, "On the whole machine or a process of it, as root (erltrace NAME):");
	list_those(c, &all, NEEDS_NOTHING, "Anywhere (erltrace NAME):");
	list_those(c, &all, NEEDS_UNSAID, "Others:");
	fprintf(c->out, "`%s scripts NAME` says more of one.\n", c->pname);
	for (size_t i = 0; i < all.n; i++)
		free(all.at[i]);
	free(all.at);
	if (!all.failed)
		return EXIT_OK;
	cli_error(c, "out of memory");
	return EXIT_ERROR;
}

/* -- running ----------------------------------------------------------------------------------------------------- */

static bool
is_pid(const char *s)
{
	int end = 0;
	return sscanf(s, "<0.%*u.%*u>%n", &end) == 0 && end && !s[end];
}

/* Returns what is wrong with an argument, or NULL. */
static const char *
wrong(const struct arg *a, const char *value)
{
	switch (a->type) {
	case ARG_NUMBER:
		return *value && strspn(value, "0123456789") == strlen(value) ? NULL : "not a number";
	case ARG_MODULE:
		return *value && !strpbrk(value, " \t\n:/{}\"") ? NULL : "not the name of a module";
	case ARG_PROCESS:
		return *value ? NULL : "not a pid or a name";
	case ARG_STRING:
		break;
	}
	return NULL;
}

/* Reports arguments that are too many, too few or of the wrong kind, and what is expected. */
static int
check_args(struct cli *c, const char *name, const struct header *h)
{
	unsigned given = (unsigned)c->nargs - 2, least = 0;
	char what[512] = "";
	while (least < h->nargs && !h->args[least].optional)
		least++;
	if (given > h->nargs)
		snprintf(what, sizeof what, "there is an argument too many, '%s'", c->args[2 + h->nargs]);
	else if (given < least)
		snprintf(what, sizeof what, "%s is missing", h->args[given].name);
	for (unsigned i = 0; !what[0] && i < given; i++)
		if (wrong(&h->args[i], c->args[2 + i]))
			snprintf(what, sizeof what, "%s is '%s', %s", h->args[i].name, c->args[2 + i],
			    wrong(&h->args[i], c->args[2 + i]));
	if (!what[0])
		return 0;
	struct sbuf how = {0};
	usage(&how, name, h);
	cli_error(c, "%s: %s; it is used so: %s %s%s", name, what, c->pname, before_name(h), how.at ? how.at : name);
	sb_free(&how);
	print_args(h, stderr);
	return EXIT_USAGE;
}

static int
check_needs(struct cli *c, const char *name, const struct header *h)
{
	if (h->needs == NEEDS_NODE && !c->node && !c->ntargets) {
		char nodes[512];
		cli_node_names(nodes, sizeof nodes);
		cli_error(c, "%s is about an Erlang node: name it with -N%s%s", name,
		    nodes[0] ? "; on this machine there are: " : "; none is running on this machine", nodes);
		return EXIT_ERROR;
	}
	if (h->needs == NEEDS_KERNEL && c->node) {
		cli_error(c, "%s is about the machine and its processes, not about a node: leave out -N", name);
		return EXIT_ERROR;
	}
	return 0;
}

int
cli_take_script(struct cli *c, const char *word)
{
	char name[64];
	size_t len = strlen(word);
	struct header h;
	if (len > 2 && strcmp(word + len - 2, ".d") == 0)
		len -= 2;
	if (!len || len >= sizeof name || memchr(word, '/', len) || word[0] == '.')
		return -1;
	snprintf(name, sizeof name, "%.*s", (int)len, word);
	const char *text = find_script(c, name, &c->ready);
	if (!text)
		return -1;
	parse_header(text, &h);
	int err = h.needs == NEEDS_UNSAID ? 0 : check_args(c, name, &h);
	if (!err)
		err = check_needs(c, name, &h);
	if (!err && h.pairs && !cli_pairs_new(c)) {
		cli_error(c, "out of memory");
		err = EXIT_ERROR;
	}
	if (err)
		return err;
	if (strchr(h.flags, 'q'))
		cli_add_opt(c, "-q", "quiet", NULL, NULL);
	c->cflags |= strchr(h.flags, 'C') ? ET_C_CPP : 0;
	c->cflags |= strchr(h.flags, 'Z') ? ET_C_ZDEFS : 0;
	c->progs[c->nprogs++] = (struct cli_prog){.kind = PROG_READY, .arg = word, .text = text, .desc = "script"};
	/* the words after its name are its arguments */
	memmove(c->args + 1, c->args + 2, (size_t)(c->nargs - 2) * sizeof *c->args);
	c->nargs--;
	return 0;
}

int
cli_find_processes(struct cli *c)
{
	struct header h;
	char pid[64];
	if (c->nprogs != 1 || c->progs[0].kind != PROG_READY || c->calls || c->is_top)
		return 0;
	parse_header(c->progs[0].text, &h);
	for (int i = 1; i < c->nargs && i <= (int)h.nargs; i++) {
		const struct arg *a = &h.args[i - 1];
		/* a pid may mean another process on each node: it stays as it is */
		if (a->type != ARG_PROCESS || ((c->nnodes > 1 || c->join) && is_pid(c->args[i])))
			continue;
		if (et_find_process(c->h, c->args[i], pid, sizeof pid) != 0) {
			cli_lib_error(c, "%s", c->progs[0].arg);
			if (c->node)
				cli_error(c, "`%s -N %s top` shows the pids of busy processes with their names",
				    c->pname, c->node);
			return EXIT_ERROR;
		}
		free(c->processes[i - 1]);
		c->processes[i - 1] = strdup(pid);
		if (!c->processes[i - 1]) {
			cli_error(c, "out of memory");
			return EXIT_ERROR;
		}
		c->args[i] = c->processes[i - 1];
	}
	return 0;
}

void
cli_free_processes(struct cli *c)
{
	for (unsigned i = 0; i < CLI_MOST_ARGS; i++)
		free(c->processes[i]);
}
