/*
 * The first word that is not an option, if no program was given: `erltrace x.dobj`, `erltrace -N shop messages`,
 * `erltrace -N shop shop_db:store/2`.
 */
#include "cli/cli.h"

#include "base/opts.h"

#include <ctype.h>
#include <string.h>
#include <sys/stat.h>

bool
cli_is_object(FILE *fp)
{
	char head[16];
	struct stat st;
	if (fstat(fileno(fp), &st) != 0 || !S_ISREG(st.st_mode))
		return false;
	size_t n = fread(head, 1, sizeof head, fp);
	rewind(fp);
	return et_is_object(head, n);
}

bool
cli_parse_time(const char *text, uint64_t *ns)
{
	int64_t v;
	char seconds[32];
	size_t len = strlen(text);
	if (len && len + 2 < sizeof seconds && strspn(text, "0123456789") == len) {
		snprintf(seconds, sizeof seconds, "%ss", text);
		text = seconds;
	}
	/* a frequency is not a time */
	if ((len > 2 && strcasecmp(text + len - 2, "hz") == 0) || !opt_parse_rate(text, &v) || v < 0)
		return false;
	*ns = (uint64_t)v;
	return true;
}

/* Returns what file the word names: 'o' for an object, 's' for anything else, 0 for none. */
static char
kind_of_file(const char *word)
{
	FILE *fp = fopen(word, "re");
	char kind = !fp ? 0 : cli_is_object(fp) ? 'o' : 's';
	if (fp)
		fclose(fp);
	return kind;
}

/* lists.seq/2 /args[0] == 1.5/: as Elixir would write it, but for the colon in front. A predicate may have dots, too.
 */
const char *
cli_wrong_dot(const char *word)
{
	const char *dot = NULL;
	if (!islower((unsigned char)*word))
		return NULL;
	for (const char *s = word; *s && *s != '/' && *s != ':' && !isspace((unsigned char)*s); s++)
		if (*s == '.')
			dot = s;
	/* a script may be named by its file */
	return dot && islower((unsigned char)dot[1]) && strcmp(dot, ".d") != 0 ? dot : NULL;
}

/* A dot is in names of files, too. */
static bool
is_elixirs(const char *word)
{
	const char *dot = cli_wrong_dot(word), *slash = dot ? strchr(dot, '/') : NULL;
	return slash && isdigit((unsigned char)slash[1]);
}

int
cli_take_word(struct cli *c)
{
	if (c->nprogs || c->nargs < 2)
		return 0;
	const char *word = c->args[1], *predicate;
	int name;
	char kind = kind_of_file(word);
	if (kind == 'o' && c->mode != MODE_LIST) {
		c->progs[c->nprogs++] = (struct cli_prog){.kind = PROG_FILE, .arg = word, .desc = "script"};
		return 0;
	}
	int err = kind ? -1 : cli_take_top(c);
	if (err < 0)
		err = strchr(word, '/') && kind ? -1 : cli_take_script(c, word);
	if (err < 0 && !kind)
		err = cli_take_calls(c, word);
	if (err >= 0 || c->mode == MODE_LIST)
		return err > 0 ? err : 0;
	if (kind)
		cli_error(c, "no probes specified; to run the script '%s' use -s %s", word, word);
	else if (strpbrk(word, "{;"))
		cli_error(c, "no probes specified; to run a D program use -n '%s'", word);
	else if (is_elixirs(word))
		cli_error(c,
		    "no probes specified; '%s' has a dot: functions of Erlang are written module:function/arity, '%.*s:%s'",
		    word, (int)(cli_wrong_dot(word) - word), word, cli_wrong_dot(word) + 1);
	else if (cli_calls_without_slashes(word, &name, &predicate))
		cli_error(c, "no probes specified; a predicate stands between slashes: '%.*s /%.*s/'", name, word,
		    (int)(strlen(predicate) - (predicate[0] && predicate[strlen(predicate) - 1] == '/')), predicate);
	else {
		const char *near = cli_near_script(word);
		cli_error(c,
		    "no probes specified; '%s' is neither an option nor a D object%s%s%s; `%s scripts` lists the ready-made "
		    "scripts",
		    word, near ? "; did you mean the script '" : "", near ? near : "", near ? "'?" : "", c->pname);
	}
	return EXIT_ERROR;
}
