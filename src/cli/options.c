/* The command line: flags bundled or not, in any order, mixed with macro arguments, as in dtrace. */
#include "cli/cli.h"

#include "base/outputs.h"
#include "base/secret.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The message stays the last thing on the screen, so --help is not printed after it. */
static int
usage_error(const struct cli *c)
{
	fprintf(stderr, "%s --help shows the options\n", c->pname);
	return EXIT_USAGE;
}

/* For flags of DTrace that do not exist here: gives the reason, instead of only "illegal option". */
static const char *
refusal(char flag)
{
	switch (flag) {
	case 'a':
	case 'A':
		return "boot-time (anonymous) tracing needs a kernel driver that keeps the data until someone claims it; "
		       "start erltrace from a service at boot instead";
	case 'B':
		return "buffered output is for programs: see et_handle_buffered() in erltrace.h";
	case 'G':
		return "making USDT objects is not in this version";
	case 'h':
		return "making USDT headers is not in this version; --help shows the options";
	default:
		return NULL;
	}
}

void
cli_add_opt(struct cli *c, const char *flag, const char *name, const char *value, char *heap)
{
	c->opts[c->nopts++] = (struct cli_opt){flag, name, value, heap};
}

bool
cli_has_opt(const struct cli *c, const char *name)
{
	for (unsigned i = 0; i < c->nopts; i++)
		if (strcmp(c->opts[i].name, name) == 0)
			return true;
	return false;
}

static void
add_prog(struct cli *c, enum et_probespec spec, const char *arg)
{
	c->progs[c->nprogs++] = (struct cli_prog){.kind = PROG_TEXT, .spec = spec, .arg = arg, .desc = "description"};
}

static bool
set_mode(struct cli *c, enum cli_mode mode)
{
	if (c->mode != MODE_RUN && c->mode != mode) {
		cli_error(c, "only one of -l, -V, --help and --compile-only can be specified at a time");
		return false;
	}
	c->mode = mode;
	return true;
}

/* A flag without a value. */
static int
simple_flag(struct cli *c, char flag)
{
	switch (flag) {
	case 'C':
		c->cflags |= ET_C_CPP;
		break;
	case 'e':
		c->compile_only = true;
		break;
	case 'F':
		cli_add_opt(c, "-F", "flowindent", NULL, NULL);
		break;
	case 'H':
		cli_add_opt(c, "-H", "cpphdrs", NULL, NULL);
		break;
	case 'l':
		c->cflags |= ET_C_LIST; /* what matches nothing is reported one by one */
		return set_mode(c, MODE_LIST) ? -1 : EXIT_USAGE;
	case 'q':
		cli_add_opt(c, "-q", "quiet", NULL, NULL);
		break;
	case 'S':
		c->disasm = true;
		break;
	case 'v':
		c->verbose = true;
		break;
	case 'V':
		return set_mode(c, MODE_VERSION) ? -1 : EXIT_USAGE;
	case 'w':
		cli_add_opt(c, "-w", "destructive", NULL, NULL);
		break;
	case 'Z':
		c->cflags |= ET_C_ZDEFS;
		break;
	default:
		if (refusal(flag)) {
			cli_error(c, "-%c: %s", flag, refusal(flag));
			return EXIT_USAGE;
		}
		cli_error(c,
		    isdigit((unsigned char)flag)   ? "illegal option -- %c; -- goes before arguments that are negative"
		    : isprint((unsigned char)flag) ? "illegal option -- %c"
						   : "illegal option -- \\x%02x",
		    (unsigned char)flag);
		return usage_error(c);
	}
	return -1;
}

/* -x name[=value] */
static int
x_option(struct cli *c, const char *arg)
{
	char *heap = strdup(arg);
	if (!heap) {
		cli_error(c, "out of memory");
		return EXIT_ERROR;
	}
	char *value = strchr(heap, '=');
	if (value)
		*value++ = '\0';
	cli_add_opt(c, "-x", heap, value, heap);
	return -1;
}

static bool
is_number(const char *s)
{
	return s[0] && s[strspn(s, "0123456789")] == '\0';
}

static int
value_flag(struct cli *c, char flag, const char *value)
{
	switch (flag) {
	case 'b':
		cli_add_opt(c, "-b", "bufsize", value, NULL);
		break;
	case 'c':
	case 'p':
		if (flag == 'p' && !is_number(value)) {
			cli_error(c, "invalid pid: %s; -p takes the number of a process", value);
			return EXIT_ERROR;
		}
		c->targets[c->ntargets++] =
		    (struct cli_target){.arg = value, .is_command = flag == 'c', .pidfd = -1, .gate = -1, .result = -1};
		break;
	case 'D':
		cli_add_opt(c, "-D", "define", value, NULL);
		break;
	case 'f':
		add_prog(c, ET_PROBESPEC_FUNC, value);
		break;
	case 'i':
		if (!isdigit((unsigned char)value[strspn(value, " \t\n")])) {
			cli_error(c, "-i %s: a probe id is a number; -l lists them", value);
			return EXIT_ERROR;
		}
		add_prog(c, ET_PROBESPEC_ID, value);
		break;
	case 'I':
		cli_add_opt(c, "-I", "incdir", value, NULL);
		break;
	case 'L':
		cli_add_opt(c, "-L", "libdir", value, NULL);
		break;
	case 'm':
		add_prog(c, ET_PROBESPEC_MOD, value);
		break;
	case 'n':
		add_prog(c, ET_PROBESPEC_NAME, value);
		break;
	case 'N':
		c->nodes[c->nnodes++] = value;
		c->node = c->nodes[0];
		break;
	case 'o':
		c->ofile = value;
		break;
	case 'P':
		add_prog(c, ET_PROBESPEC_PROVIDER, value);
		break;
	case 's':
		c->progs[c->nprogs++] = (struct cli_prog){.kind = PROG_FILE, .arg = value, .desc = "script"};
		break;
	case 'U':
		cli_add_opt(c, "-U", "undef", value, NULL);
		break;
	case 'x':
		return x_option(c, value);
	case 'X':
		cli_add_opt(c, "-X", "stdc", value, NULL);
		break;
	default:
		break;
	}
	return -1;
}

/* Long options. */
enum long_id {
	L_ALERT,
	L_BY,
	L_CLUSTER,
	L_COMPILE_ONLY,
	L_COOKIE,
	L_COUNT,
	L_DIST_OPTS,
	L_FOR,
	L_HEATMAP,
	L_HELP,
	L_HIDDEN,
	L_INTERVAL,
	L_JOIN,
	L_OUTPUT, /* sets the option of its name */
	L_SCRIPTS,
	L_SORT,
	L_TOP,
	L_VERSION
};
#define LONG_OUTPUT(X, id, name, help) {#name, L_OUTPUT, false},
static const struct {
	const char *name;
	enum long_id id;
	bool has_value;
} longs[] = {
    ET_OUTPUTS(LONG_OUTPUT, ) /* they end with commas */
    {"alert", L_ALERT, true},
    {"by", L_BY, true},
    {"cluster", L_CLUSTER, true},
    {"compile-only", L_COMPILE_ONLY, false},
    {"cookie", L_COOKIE, true},
    {"count", L_COUNT, true},
    {"dist-opts", L_DIST_OPTS, true},
    {"for", L_FOR, true},
    {"heatmap", L_HEATMAP, false},
    {"help", L_HELP, false},
    {"hidden", L_HIDDEN, false},
    {"interval", L_INTERVAL, true},
    {"join", L_JOIN, false},
    {"scripts", L_SCRIPTS, true},
    {"sort", L_SORT, true},
    {"top", L_TOP, false},
    {"version", L_VERSION, false},
};

/* --cluster NODE */
static int
cluster_option(struct cli *c, const char *value)
{
	if (c->cluster) {
		cli_error(c, "--cluster takes one node, which knows the others; more can be added with -N");
		return EXIT_USAGE;
	}
	c->cluster = value;
	c->node = c->node ? c->node : value;
	return -1;
}

/* --count N */
static int
count_option(struct cli *c, const char *value)
{
	char *end;
	errno = 0;
	/* NOLINTNEXTLINE(clang-analyzer-core.NonNullParamChecker): long_option() gives values to all that take one */
	c->count = strtol(value, &end, 10);
	if (is_number(value) && !*end && errno == 0)
		return -1;
	cli_error(c, "--count %s: it takes a number of lines; 0 means no limit", value);
	return EXIT_USAGE;
}

/* --for 10s */
static int
for_option(struct cli *c, const char *value)
{
	if (cli_parse_time(value, &c->last_for) && c->last_for)
		return -1;
	cli_error(c, "--for %s: it takes a time, such as 500ms, 10s, 5m or 1h", value);
	return EXIT_USAGE;
}

/* --interval 2s */
static int
interval_option(struct cli *c, const char *value)
{
	enum { LEAST = 50000000 };
	if (cli_parse_time(value, &c->interval) && c->interval >= LEAST)
		return -1;
	cli_error(c, "--interval %s: it takes a time of at least 50ms, such as 500ms or 2s", value);
	return EXIT_USAGE;
}

static int
long_option(struct cli *c, const char *word, char **argv, int argc, int *i)
{
	size_t len = strcspn(word, "="), n = sizeof longs / sizeof *longs, at = 0;
	while (at < n && (strlen(longs[at].name) != len || strncmp(longs[at].name, word, len) != 0))
		at++;
	if (at == n || (word[len] && !longs[at].has_value)) {
		cli_error(c, at == n ? "illegal option --%s" : "option --%s takes no value", word);
		return usage_error(c);
	}
	char *value = word[len] ? argv[*i] + strlen("--") + len + 1 : NULL;
	if (longs[at].has_value && !value && *i + 1 < argc)
		value = argv[++*i];
	if (longs[at].has_value && !value) {
		cli_error(c, "option requires an argument -- %s", longs[at].name);
		return usage_error(c);
	}
	switch (longs[at].id) {
	case L_ALERT:
		return cli_alert_option(c, value);
	case L_BY:
		c->by = value;
		break;
	case L_CLUSTER:
		return cluster_option(c, value);
	case L_COMPILE_ONLY:
		return set_mode(c, MODE_OBJECT) ? -1 : EXIT_USAGE;
	case L_COOKIE:
		free(c->cookie);
		c->cookie = secret_take(value);
		break;
	case L_COUNT:
		return count_option(c, value);
	case L_DIST_OPTS:
		c->dist_opts = value;
		break;
	case L_FOR:
		return for_option(c, value);
	case L_HEATMAP:
		c->heatmap = true;
		break;
	case L_HELP:
		return set_mode(c, MODE_HELP) ? -1 : EXIT_USAGE;
	case L_HIDDEN:
		c->hidden = true;
		break;
	case L_INTERVAL:
		return interval_option(c, value);
	case L_JOIN:
		c->join = true;
		break;
	case L_OUTPUT:
		cli_add_opt(c, argv[*i], longs[at].name, NULL, NULL);
		break;
	case L_SCRIPTS:
		c->script_dir = value;
		break;
	case L_SORT:
		c->sort = value;
		break;
	case L_TOP:
		c->top_aggs = true;
		break;
	case L_VERSION:
		return set_mode(c, MODE_VERSION) ? -1 : EXIT_USAGE;
	}
	return -1;
}

/* Reads one word that begins with '-': flags, the last of which may have a value, in this word or the next. */
static int
flags_word(struct cli *c, const char *word, char **argv, int argc, int *i)
{
	if (strcmp(word, "-32") == 0 || strcmp(word, "-64") == 0)
		return -1;
	for (const char *p = word + 1; *p; p++) {
		if (!strchr("bcDfiILmnNopPsUxX", *p)) {
			int err = simple_flag(c, *p);
			if (err >= 0)
				return err;
			continue;
		}
		const char *value = p[1] ? p + 1 : *i + 1 < argc ? argv[++*i] : NULL;
		/* the name of a node cannot begin like this, so none was given */
		if (*p == 'N' && (!value || value[0] == '-' || !value[0])) {
			*i -= value && !p[1];
			c->mode = MODE_NODES;
			return -1;
		}
		if (!value) {
			cli_error(c, "option requires an argument -- %c", *p);
			return usage_error(c);
		}
		return value_flag(c, *p, value);
	}
	return -1;
}

static int
check_combination(struct cli *c)
{
	if (c->mode == MODE_RUN && !c->nprogs && c->nargs > 1 && strcmp(c->args[1], "scripts") == 0)
		c->mode = MODE_SCRIPTS;
	if (c->mode == MODE_OBJECT && !c->ofile) {
		cli_error(c, "--compile-only needs -o file to write the D object to");
		return usage_error(c);
	}
	return -1;
}

int
cli_parse(struct cli *c, int argc, char **argv)
{
	/* No flag needs more than two characters of the command line, so this is enough room. */
	size_t room = 2;
	for (int i = 0; i < argc; i++)
		room += strlen(argv[i]) + 1;
	c->progs = calloc(room, sizeof *c->progs);
	c->opts = calloc(room, sizeof *c->opts);
	c->targets = calloc(room, sizeof *c->targets);
	c->args = calloc(room, sizeof *c->args);
	c->nodes = calloc(room, sizeof *c->nodes);
	if (!c->progs || !c->opts || !c->targets || !c->args || !c->nodes) {
		cli_error(c, "out of memory");
		return EXIT_ERROR;
	}
	if (argc < 2) {
		cli_usage(c, stderr);
		return EXIT_USAGE;
	}
	c->args[c->nargs++] = argv[0];
	bool options = true;
	for (int i = 1; i < argc; i++) {
		const char *w = argv[i];
		int err = -1;
		if (!options || w[0] != '-' || !w[1])
			c->args[c->nargs++] = w;
		else if (strcmp(w, "--") == 0)
			options = false;
		else if (w[1] == '-')
			err = long_option(c, w + 2, argv, argc, &i);
		else
			err = flags_word(c, w, argv, argc, &i);
		if (err >= 0)
			return err;
	}
	return check_combination(c);
}

/* DTRACE_OPT_bufsize=8m …; a bad value is an error, as on the command line. */
static int
apply_environment(struct cli *c)
{
	static const char prefix[] = "DTRACE_OPT_";
	for (char **e = environ; *e; e++) {
		if (strncmp(*e, prefix, sizeof prefix - 1) != 0)
			continue;
		char name[64];
		const char *p = *e + sizeof prefix - 1;
		const char *eq = strchr(p, '=');
		size_t len = eq ? (size_t)(eq - p) : strlen(p);
		if (len >= sizeof name)
			len = sizeof name - 1;
		for (size_t i = 0; i < len; i++)
			name[i] = (char)tolower((unsigned char)p[i]);
		name[len] = '\0';
		if (et_setopt(c->h, name, eq && eq[1] ? eq + 1 : NULL) != 0) {
			cli_lib_error(c, "failed to set %s%s from the environment", prefix, name);
			return EXIT_ERROR;
		}
	}
	return 0;
}

int
cli_apply_options(struct cli *c)
{
	int err = apply_environment(c);
	if (err)
		return err;
	for (unsigned i = 0; i < c->nopts; i++) {
		const struct cli_opt *o = &c->opts[i];
		if (et_setopt(c->h, o->name, o->value) == 0)
			continue;
		bool is_x = strcmp(o->flag, "-x") == 0;
		cli_lib_error(c, "failed to set %s %s", o->flag, is_x ? o->name : o->value ? o->value : "");
		return EXIT_ERROR;
	}
	if (c->verbose && et_setopt(c->h, "verbose", NULL) != 0) {
		cli_lib_error(c, "failed to set -v");
		return EXIT_ERROR;
	}
	for (size_t i = 0; i < sizeof longs / sizeof *longs && !c->output; i++) {
		int64_t is_on = 0;
		if (longs[i].id == L_OUTPUT && et_getopt(c->h, longs[i].name, &is_on, NULL) == 0 && is_on)
			c->output = longs[i].name;
	}
	return 0;
}
