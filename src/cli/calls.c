/*
 * `erltrace -N shop 'shop_db:store/2'`: prints each call with its arguments, its result and how long it took.
 *
 * The word becomes a D program once the node has said which functions are meant. Which arguments can be printed depends
 * on the arity, so there is a clause for each arity. Tracing ends in the node after the given number of lines.
 * Schedulers may be a line ahead of each other there, so this side counts the lines that it prints as well.
 */
#include "cli/cli.h"

#include "base/sbuf.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { LINES = 100, MOST_ARITY = 255, MOST_ARGS = 10 };

struct calls {
	const char *word;
	char *module, *function; /* function is "" for all */
	int arity;               /* -1: any */
	char *predicate;         /* in D, without slashes; or NULL */
	char *text;              /* the program */
	bool is_arity[MOST_ARITY + 1];
	long most, shown; /* lines; most is 0 for no limit */
	bool is_cut;
	uint64_t failed; /* calls for which the predicate failed */
};

/* -- the word ---------------------------------------------------------------------------------------------------- */

/* Reads an atom at *s, quoted or up to a character of `end`, onto the heap. Returns NULL if there is none. */
static char *
take_atom(const char **s, const char *end)
{
	const char *from = *s;
	size_t len;
	if (*from == '\'') {
		const char *quote = strchr(from + 1, '\'');
		if (!quote)
			return NULL;
		*s = quote + 1;
		return strndup(from + 1, (size_t)(quote - from - 1));
	}
	len = strcspn(from, end);
	*s = from + len;
	return len ? strndup(from, len) : NULL;
}

/* Returns the length of the arity at s, "/2" with nothing more of a name after it, or 0 if it is not one. */
static size_t
arity_length(const char *s)
{
	size_t n = *s == '/' ? strspn(s + 1, "0123456789") : 0;
	return n && n < 4 && (!s[n + 1] || s[n + 1] == '/' || isspace((unsigned char)s[n + 1])) ? n + 1 : 0;
}

/* Reads the function at *s. Names that the compiler makes, -init/1-fun-0-, contain a slash themselves. */
static char *
take_function(const char **s)
{
	const char *from = *s, *at = from;
	if (*from == '\'')
		return take_atom(s, "");
	while (*at && !isspace((unsigned char)*at) && !(*at == '/' && (arity_length(at) || *from != '-')))
		at++;
	*s = at;
	return strndup(from, (size_t)(at - from));
}

/* Returns the dot before the function in Elixir's Shop.Repo.get and :lists.seq/2: the last one before a small letter.
 * Returns NULL if there is none. */
static const char *
elixir_dot(const char *word)
{
	const char *dot = NULL;
	if (!isupper((unsigned char)word[0]) && word[0] != ':')
		return NULL;
	for (const char *s = word + 1; *s && *s != '/' && *s != ':' && !isspace((unsigned char)*s); s++)
		if (*s == '.' && (islower((unsigned char)s[1]) || s[1] == '_'))
			dot = s;
	return dot;
}

static bool
is_module(const char *s)
{
	if (!*s)
		return false;
	for (; *s; s++)
		if (!isalnum((unsigned char)*s) && !strchr("_@.*", *s) && (unsigned char)*s < 0x80)
			return false;
	return true;
}

/* Returns false if the word is not of this form. */
static bool
parse_word(struct calls *k, const char *s)
{
	const char *dot = elixir_dot(s);
	bool quoted = *s == '\'';
	s += strspn(s, " \t\n");
	if (dot) {
		s += *s == ':';
		k->module = strndup(s, (size_t)(dot - s));
		s = dot + 1;
	} else {
		k->module = take_atom(&s, ": \t\n/");
		s += *s == ':';
	}
	k->function = k->module ? take_function(&s) : NULL;
	if (!k->function || (!quoted && !is_module(k->module)))
		return false;
	size_t n = arity_length(s);
	k->arity = n ? atoi(s + 1) : -1;
	if (k->arity > MOST_ARITY || (n && !*k->function))
		return false;
	s += n;
	s += strspn(s, " \t\n");
	size_t len = strlen(s);
	while (len && isspace((unsigned char)s[len - 1]))
		len--;
	if (!len)
		return true;
	if (len < 3 || s[0] != '/' || s[len - 1] != '/')
		return false;
	k->predicate = strndup(s + 1, len - 2);
	return k->predicate != NULL;
}

bool
cli_calls_without_slashes(const char *word, int *name, const char **predicate)
{
	struct calls k = {0};
	size_t n = strcspn(word, " \t\n");
	char *head = strndup(word, n);
	*name = (int)n;
	*predicate = word + n + strspn(word + n, " \t\n/");
	bool is = head && **predicate && parse_word(&k, head) && *k.function;
	free(head);
	free(k.module);
	free(k.function);
	free(k.predicate);
	return is;
}

int
cli_take_calls(struct cli *c, const char *word)
{
	bool on_node = c->node || c->ntargets;
	bool looks_so = strchr(word, ':') || elixir_dot(word) || (on_node && !strpbrk(word, " \t\n{};"));
	struct calls *k = looks_so && !strpbrk(word, "{;") ? calloc(1, sizeof *k) : NULL;
	if (!k)
		return -1;
	c->calls = k;
	k->word = word;
	if (!parse_word(k, word)) {
		cli_free_calls(c);
		return -1;
	}
	if (!on_node) {
		char nodes[512];
		cli_node_names(nodes, sizeof nodes);
		cli_error(c, "'%s' names functions of an Erlang node: name that with -N%s%s", word,
		    nodes[0] ? "; on this machine there are: " : "; none is running on this machine", nodes);
		return EXIT_ERROR;
	}
	if (c->nargs > 2) {
		cli_error(c, "extraneous argument '%s': a predicate belongs to the same word, '%s /args[0] == 1/'",
		    c->args[2], word);
		return EXIT_USAGE;
	}
	k->most = c->count < 0 ? LINES : c->count;
	c->nargs = 1;
	cli_add_opt(c, "-q", "quiet", NULL, NULL);
	if (!cli_has_opt(c, "switchrate"))
		cli_add_opt(c, "-x", "switchrate", "100ms", NULL);
	return 0;
}

/* -- the program ------------------------------------------------------------------------------------------------- */

/* Adds a field of a description: as it is if it has globs, otherwise quoted, so that it stands for itself. */
static void
add_field(struct sbuf *b, const char *name)
{
	bool plain = strchr(name, '*') || strchr(name, '\'');
	sb_printf(b, plain || !*name ? "%s" : "'%s'", name);
}

/* arity is -1 for any */
static void
add_desc(struct sbuf *b, const struct calls *k, int arity, const char *name)
{
	sb_adds(b, "erlang*:");
	add_field(b, k->module);
	sb_adds(b, ":");
	if (!*k->function && arity >= 0)
		sb_printf(b, "*/%d", arity);
	else if (*k->function) {
		add_field(b, k->function);
		if (arity >= 0)
			sb_printf(b, "/%d", arity);
		else
			sb_adds(b, "/*");
	}
	sb_printf(b, ":%s", name);
}

/* "14:03:12.123456 <0.95.0> ", in local time. */
static void
add_printf(struct sbuf *b, const char *format)
{
	sb_printf(b, "\tprintf(\"%%02d:%%02d:%%02d.%%06d %%s %s\\n\", ", format);
	sb_adds(b, "this->s / 3600 % 24, this->s / 60 % 60, this->s % 60, walltimestamp / 1000 % 1000000, eproc, ");
}

static void
add_start(struct sbuf *b)
{
	time_t now = time(NULL);
	struct tm here;
	localtime_r(&now, &here);
	sb_printf(b, "{\n\tthis->s = walltimestamp / 1000000000 + %ld;\n", here.tm_gmtoff);
}

static void
add_end(struct sbuf *b, const struct calls *k)
{
	if (k->most)
		sb_printf(b, "\terltrace_lines++;\n\tif (erltrace_lines >= %ld) {\n\t\texit(0);\n\t}\n", k->most);
	sb_adds(b, "}\n");
}

static void
add_entry(struct sbuf *b, const struct calls *k, int arity)
{
	struct sbuf args = {0};
	sb_adds(&args, "");
	add_desc(b, k, arity, "entry");
	if (k->predicate)
		sb_printf(b, "\n/%s/", k->predicate);
	sb_adds(b, "\n");
	add_start(b);
	sb_adds(b, "\tself->erltrace_began[self->erltrace_depth] = timestamp;\n");
	for (int i = 0; i < arity && i < MOST_ARGS; i++)
		sb_adds(&args, i ? ", %s" : "%s");
	sb_adds(&args, arity > MOST_ARGS ? ", ...)" : ")");
	struct sbuf format = {0};
	sb_printf(&format, "%%s:%%s(%s", args.at ? args.at : "");
	add_printf(b, format.at ? format.at : "");
	sb_printf(b, "probemod, substr(probefunc, 0, strlen(probefunc) - %d)", arity > 99 ? 4 : arity > 9 ? 3 : 2);
	for (int i = 0; i < arity && i < MOST_ARGS; i++)
		sb_printf(b, ", args[%d]", i);
	sb_adds(b, ");\n");
	add_end(b, k);
	b->failed |= args.failed || format.failed;
	sb_free(&args);
	sb_free(&format);
}

static void
add_leave(struct sbuf *b, const struct calls *k, const char *name, const char *format, const char *values)
{
	add_desc(b, k, k->arity, name);
	sb_adds(b, "\n/self->erltrace_depth && self->erltrace_began[self->erltrace_depth]/\n");
	add_start(b);
	sb_adds(b, "\tthis->ns = timestamp - self->erltrace_began[self->erltrace_depth];\n");
	add_printf(b, format);
	sb_printf(b, "probemod, probefunc, %s, this->ns / 1000, this->ns / 100 %% 10);\n", values);
	add_end(b, k);
	add_desc(b, k, k->arity, name);
	sb_adds(b, "\n/self->erltrace_depth/\n{\n\tself->erltrace_began[self->erltrace_depth] = 0;\n"
		   "\tself->erltrace_depth--;\n}\n");
}

static int
note_arity(struct et *h, const struct et_probe *p, void *arg)
{
	struct calls *k = arg;
	const char *slash = strrchr(p->function, '/');
	int arity = slash ? atoi(slash + 1) : -1;
	(void)h;
	if (arity >= 0 && arity <= MOST_ARITY)
		k->is_arity[arity] = true;
	return 0;
}

/* Finds which arities exist, if none was given. */
static bool
find_arities(struct cli *c, struct calls *k)
{
	char desc[1200];
	if (k->arity >= 0) {
		k->is_arity[k->arity] = true;
		return true;
	}
	snprintf(desc, sizeof desc, "erlang*:%s:%s%s:entry", k->module, k->function, *k->function ? "/*" : "");
	return et_probe_iter(c->h, desc, ET_PROBESPEC_NAME, note_arity, k) >= 0;
}

int
cli_make_calls(struct cli *c)
{
	struct calls *k = c->calls;
	struct sbuf b = {0};
	if (!find_arities(c, k)) {
		cli_lib_error(c, "%s", k->word);
		return EXIT_ERROR;
	}
	/* Depth is counted at entry and exit of all calls, also of those that are not shown. That costs less than
	 * stackdepth, for which the VM must tell the caller. */
	add_desc(&b, k, k->arity, "entry\n{\n\tself->erltrace_depth++;\n}\n");
	for (int i = 0; i <= MOST_ARITY; i++)
		if (k->is_arity[i])
			add_entry(&b, k, i);
	add_leave(&b, k, "return", "%s:%s -> %s (%d.%d us)", "args[0]");
	add_leave(&b, k, "exception", "%s:%s ** %s:%s (%d.%d us)", "args[0], args[1]");
	k->text = sb_take(&b);
	if (!k->text) {
		cli_error(c, "out of memory");
		return EXIT_ERROR;
	}
	c->progs[c->nprogs++] =
	    (struct cli_prog){.kind = PROG_READY, .arg = k->word, .text = k->text, .desc = "functions"};
	return 0;
}

/* -- while it runs ----------------------------------------------------------------------------------------------- */

enum et_consume
cli_on_call(const struct et_probedata *d, const struct et_recdata *rec, void *cli)
{
	struct cli *c = cli;
	struct calls *k = c->calls;
	(void)d;
	if (!rec || strcmp(rec->action, "printf") != 0)
		return ET_CONSUME_THIS;
	k->is_cut = k->most && k->shown >= k->most;
	if (k->is_cut)
		return ET_CONSUME_NEXT;
	if (++k->shown == k->most)
		et_interrupt(c->h);
	return ET_CONSUME_THIS;
}

/* Finds an argument of the function that a predicate compares with a number: "args[0]" of args[0] > 5. Returns its
 * length, or 0 if there is none. */
static int
number_argument(const char *predicate, const char **from)
{
	for (const char *at = predicate; (at = strstr(at, "args[")); at++) {
		int len = (int)strcspn(at, "]") + 1;
		const char *s = at[len - 1] ? at + len : "";
		s += strspn(s, " \t");
		size_t op_len = strspn(s, "=!<>");
		s += op_len;
		s += strspn(s, " \t-");
		*from = at;
		if (op_len && isdigit((unsigned char)*s))
			return len;
	}
	return 0;
}

bool
cli_on_call_error(struct cli *c, const struct et_errdata *e)
{
	struct calls *k = c->calls;
	const char *arg;
	if (!k || !k->predicate || e->action != 0)
		return false;
	if (k->failed++)
		return true;
	int len = number_argument(k->predicate, &arg);
	/* functions, such as element() and length(), want other terms than numbers */
	if (strstr(e->msg, "illegal operation") && len && !strchr(k->predicate, '('))
		cli_error(c,
		    "%s: the predicate cannot be computed for a call: %.*s is not an integer there, and it is used as a "
		    "number; such calls are not shown; ask first: /is_integer(%.*s) && (%s)/",
		    k->word, len, arg, len, arg, k->predicate);
	else if (strstr(e->msg, "illegal operation"))
		cli_error(c,
		    "%s: the predicate cannot be computed for a call: a term is not of the kind that it is used as; such "
		    "calls are not shown; ask first, as in /is_integer(args[0]) && args[0] > 5/ or "
		    "/is_tuple(args[0]) && element(1, args[0]) == \"ok\"/",
		    k->word);
	else
		cli_error(c, "%s: the predicate cannot be computed for a call, and such calls are not shown: %.*s",
		    k->word, (int)strcspn(e->msg, "\n"), e->msg);
	return true;
}

void
cli_say_uncalled(struct cli *c, bool fired)
{
	const struct calls *k = c->calls;
	if (k->failed)
		cli_error(c, "%s: the predicate could not be computed for %llu call%s", k->word,
		    (unsigned long long)k->failed, k->failed == 1 ? "" : "s");
	if (!fired)
		cli_error(c, "%s: no call was seen", k->word);
	else if (k->predicate && !k->shown && !c->output)
		cli_error(c, "%s: there were calls, but the predicate was true of none%s", k->word,
		    strchr(k->predicate, '"') && strstr(k->predicate, "args[") && !strstr(k->predicate, "binary(")
			? "; a string is compared with a term's text, which is that of an atom: for a binary write "
			  "binary(args[0]) == \"x\", for a string of Erlang args[0] == \"\\\"x\\\"\""
			: "");
}

void
cli_end_calls(const struct cli *c)
{
	const struct calls *k = c->calls;
	if (k && k->most && k->shown >= k->most && c->count < 0)
		cli_error(c, "%ld lines were printed; --count N sets how many, 0 for no limit", k->shown);
}

void
cli_free_calls(struct cli *c)
{
	struct calls *k = c->calls;
	c->calls = NULL;
	if (!k)
		return;
	free(k->module);
	free(k->function);
	free(k->predicate);
	free(k->text);
	free(k);
}
