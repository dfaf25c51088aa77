/* The programs of a command line: compiling, listing, enabling, saving. */
#include "cli/cli.h"

#include "base/outfile.h"
#include "base/sbuf.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static int
load_object(struct cli *c, struct cli_prog *p, FILE *fp)
{
	struct sbuf bytes = {0};
	if (!sb_read(&bytes, fp, SIZE_MAX) || bytes.failed) {
		cli_error(c, "failed to read %s: %s", p->arg, bytes.failed ? "out of memory" : strerror(errno));
		sb_free(&bytes);
		return EXIT_ERROR;
	}
	p->kind = PROG_OBJECT;
	p->desc = "object";
	p->prog = et_program_load(c->h, bytes.at, bytes.len, p->arg);
	sb_free(&bytes);
	if (p->prog)
		return 0;
	cli_lib_error(c, "failed to load D object %s", p->arg);
	return EXIT_ERROR;
}

/*
 * "erltrace: failed to compile script x.d: [D_TAG] line 3: …", as dtrace says it. The library's message begins with
 * file:line:column. The file is left out if it was just named, and so is the line of a program that has only one. For a
 * script the place stands before the source line instead, so that an editor finds it.
 */
static int
compile_error(struct cli *c, const struct cli_prog *p, const char *what)
{
	const struct et_diag *d = et_errdiag(c->h);
	const char *msg = et_errmsg(c->h, et_errno(c->h));
	char place[32] = "", tag[64] = "";
	bool own = d && d->file && (p->kind == PROG_TEXT ? d->file[0] == '<' : strcmp(d->file, p->arg) == 0);
	size_t flen = own ? strlen(d->file) : 0, n = 0;
	if (own && strncmp(msg, d->file, flen) == 0 && msg[flen] == ':') {
		const char *rest = msg + flen + 1;
		rest += strspn(rest, "0123456789:");
		rest += *rest == ' ';
		if (p->kind != PROG_TEXT || strchr(p->arg, '\n'))
			snprintf(place, sizeof place, "line %u: ", d->line);
		if (*rest == '[')
			n = strcspn(rest, "]") + 2;
		if (n < sizeof tag && n <= strlen(rest))
			snprintf(tag, n + 1, "%s", rest);
		else
			n = 0;
		msg = rest + n;
	}
	int len = (int)strlen(msg), first = (int)strcspn(msg, "\n");
	while (len && msg[len - 1] == '\n')
		len--;
	if (own && p->kind != PROG_TEXT && first < len)
		cli_error(c, "%s %s: %s%s%.*s\n%s:%u:%u:%.*s", what, p->arg, tag, place, first, msg, p->arg, d->line,
		    d->col, len - first, msg + first);
	else
		cli_error(c, "%s %s: %s%s%.*s", what, p->arg, tag, place, len, msg);
	return EXIT_ERROR;
}

static int
compile_file(struct cli *c, struct cli_prog *p)
{
	FILE *fp = fopen(p->arg, "re");
	struct stat st;
	if (fp && fstat(fileno(fp), &st) == 0 && S_ISDIR(st.st_mode)) {
		fclose(fp);
		fp = NULL;
		errno = EISDIR;
	}
	if (!fp) {
		cli_error(c, "failed to open %s: %s", p->arg, strerror(errno));
		return EXIT_ERROR;
	}
	int err = 0;
	if (cli_is_object(fp))
		err = load_object(c, p, fp);
	else {
		const char *self = c->args[0];
		c->args[0] = p->arg;
		p->prog = et_program_fcompile(c->h, fp, p->arg, c->cflags, c->nargs, c->args);
		c->args[0] = self;
		if (!p->prog)
			err = compile_error(c, p, "failed to compile script");
	}
	fclose(fp);
	return err;
}

static int
compile_text(struct cli *c, struct cli_prog *p)
{
	p->prog = et_program_strcompile(c->h, p->arg, p->spec, c->cflags, c->nargs, c->args);
	if (p->prog)
		return 0;
	return compile_error(c, p, "invalid probe specifier");
}

static int
compile_ready(struct cli *c, struct cli_prog *p)
{
	size_t len = strlen(p->text);
	FILE *fp = len ? fmemopen((void *)(uintptr_t)p->text, len, "r") : NULL;
	if (!fp) {
		cli_error(c, "failed to open script %s: %s", p->arg, len ? strerror(errno) : "it is empty");
		return EXIT_ERROR;
	}
	const char *self = c->args[0];
	c->args[0] = p->arg;
	p->prog = et_program_fcompile(c->h, fp, p->arg, c->cflags, c->nargs, c->args);
	c->args[0] = self;
	fclose(fp);
	if (p->prog)
		return 0;
	const struct et_diag *d = c->calls ? et_errdiag(c->h) : NULL;
	if (!d)
		return compile_error(c, p, "failed to compile script");
	/* the user wrote a word and does not know the program that it became; without a colon it may be a script's
	 * name, or the dot should be one */
	const char *dot = strstr(d->msg, "does not match") ? cli_wrong_dot(p->arg) : NULL;
	if (dot) {
		cli_error(c, "%s: %s; '%.*s:%s'? Functions of Erlang are written module:function/arity", p->arg, d->msg,
		    (int)(dot - p->arg), p->arg, dot + 1);
		return EXIT_ERROR;
	}
	const char *near = strchr(p->arg, ':') ? NULL : cli_near_script(p->arg);
	cli_error(c, "%s: %s%s%s%s%s%s", p->arg, d->msg, d->hint ? "; " : "", d->hint ? d->hint : "",
	    near ? "; did you mean the script '" : "", near ? near : "", near ? "'?" : "");
	return EXIT_ERROR;
}

/* Returns the length of the description that a program begins with, for messages. The arity of a function (seq/2:, and
 * with -f seq/2) is part of it. */
static size_t
description_length(const char *text, enum et_probespec spec)
{
	const char *after = spec == ET_PROBESPEC_FUNC ? ": \t\n{" : ":";
	size_t n = strcspn(text, "{/;");
	while (n && text[n] == '/' && !isspace((unsigned char)text[n - 1])) {
		size_t digits = strspn(text + n + 1, "0123456789");
		char next = text[n + 1 + digits];
		if (!digits || (next ? !strchr(after, next) : spec != ET_PROBESPEC_FUNC))
			break;
		n += 1 + digits;
		n += strcspn(text + n, "{/;");
	}
	return n;
}

int
cli_compile(struct cli *c)
{
	/* index of the first argument for a D object; args[1] is the object itself if it was not given by -s */
	int first = c->nprogs && c->nargs > 1 && c->progs[0].arg == c->args[1] ? 2 : 1;
	int err = c->calls ? cli_make_calls(c) : 0;
	bool only_objects = true;
	for (unsigned i = 0; !err && i < c->nprogs; i++) {
		struct cli_prog *p = &c->progs[i];
		p->name = strdup(p->arg);
		if (!p->name) {
			cli_error(c, "out of memory");
			return EXIT_ERROR;
		}
		if (p->kind == PROG_TEXT)
			p->name[description_length(p->name, p->spec)] = '\0';
		err = p->kind == PROG_TEXT    ? compile_text(c, p)
		      : p->kind == PROG_READY ? compile_ready(c, p)
					      : compile_file(c, p);
		only_objects &= p->kind == PROG_OBJECT;
		if (err || !c->disasm)
			continue;
		char *text = et_disasm(c->h, p->prog);
		if (!text) {
			cli_lib_error(c, "failed to list the code of %s '%s'", p->desc, p->name);
			return EXIT_ERROR;
		}
		fputs(text, stderr);
		free(text);
	}
	if (!err && c->nprogs && only_objects && c->nargs > first) {
		cli_error(c, "extraneous argument '%s': an object has the arguments that it was compiled with",
		    c->args[first]);
		return EXIT_ERROR;
	}
	return err;
}

int
cli_enable(struct cli *c)
{
	for (unsigned i = 0; i < c->nprogs; i++) {
		struct cli_prog *p = &c->progs[i];
		struct et_proginfo info;
		int err =
		    c->compile_only ? et_program_info(c->h, p->prog, &info) : et_program_exec(c->h, p->prog, &info);
		if (err) {
			cli_lib_error(c, "failed to enable '%s'", p->name);
			return EXIT_ERROR;
		}
		c->matched += info.matches;
		if (!c->compile_only)
			cli_notice(c, "%s '%s' matched %u probe%s", p->desc, p->name, info.matches,
			    info.matches == 1 ? "" : "s");
		if (c->verbose && info.stability)
			fprintf(c->out, "\nStability attributes for %s %s:\n\n%s\n", p->desc, p->name, info.stability);
		char *narrowed = c->verbose ? et_program_narrowed(c->h, p->prog) : NULL;
		if (narrowed && *narrowed)
			fprintf(c->out, "Predicates of %s %s:\n\n%s\n", p->desc, p->name, narrowed);
		free(narrowed);
	}
	return 0;
}

/* "Stable/Stable/Common" in the lines of -v. */
static void
print_attributes(FILE *out, const char *what, const char *stability)
{
	char names[3][32] = {"Private", "Private", "Unknown"};
	if (stability)
		sscanf(stability, "%31[^/]/%31[^/]/%31s", names[0], names[1], names[2]);
	fprintf(out, "\n\t%s\n\t\tIdentifier Names: %s\n\t\tData Semantics:   %s\n\t\tDependency Class: %s\n", what,
	    names[0], names[1], names[2]);
}

static int
list_probe(struct et *h, const struct et_probe *p, void *arg)
{
	struct cli *c = arg;
	struct sbuf b = {0};
	(void)h;
	sb_printf(&b, "%5u %10s %17s %33s %s\n", p->id, p->provider, p->module, p->function, p->name);
	if (b.failed) {
		cli_error(c, "out of memory");
		return 1;
	}
	cli_put(c, c->out, b.at, b.len);
	sb_free(&b);
	if (!c->verbose)
		return ferror(c->out);
	print_attributes(c->out, "Probe Description Attributes", p->stability);
	print_attributes(c->out, "Argument Attributes", p->stability);
	if (p->refusal)
		fprintf(c->out, "\n\tNot to be enabled here: %s\n", p->refusal);
	fprintf(c->out, "\n\tArgument Types\n");
	unsigned n = 0;
	const char *name = p->argnames ? p->argnames : "";
	for (; p->argtypes && p->argtypes[n]; n++) {
		size_t len = strcspn(name, ",");
		fprintf(c->out, "\t\targs[%u]: %s%s%.*s\n", n, p->argtypes[n], len ? "  " : "", (int)len, name);
		name += len + (name[len] == ',');
	}
	if (n && p->argsource)
		fprintf(c->out, "\t\t(from %s)\n", p->argsource);
	fputs(n ? "\n" : "\t\tNone\n\n", c->out);
	return ferror(c->out);
}

int
cli_list(struct cli *c)
{
	int status = EXIT_OK;
	fprintf(c->out, "%5s %10s %17s %33s %s\n", "ID", "PROVIDER", "MODULE", "FUNCTION", "NAME");
	if (!c->nprogs && et_probe_iter(c->h, NULL, ET_PROBESPEC_NAME, list_probe, c) < 0) {
		cli_lib_error(c, "failed to list the probes");
		return EXIT_ERROR;
	}
	for (unsigned i = 0; i < c->nprogs; i++) {
		struct cli_prog *p = &c->progs[i];
		int n = et_program_probes(c->h, p->prog, list_probe, c);
		if (n < 0) {
			cli_lib_error(c, "failed to list the probes of %s '%s'", p->desc, p->name);
			return EXIT_ERROR;
		}
		if (n == 0) {
			cli_error(c, "failed to match %s: No probe matches description", p->name);
			status = EXIT_ERROR;
		}
	}
	return status;
}

int
cli_save(struct cli *c)
{
	void *bytes;
	size_t len;
	if (!c->nprogs) {
		cli_error(c, "no probes specified");
		return EXIT_ERROR;
	}
	if (et_program_save(c->h, &bytes, &len) != 0) {
		cli_lib_error(c, "failed to make a D object");
		return EXIT_ERROR;
	}
	struct why why;
	FILE *fp = out_fopen(c->ofile, O_TRUNC, &why);
	struct stat st;
	bool ok = fp && fwrite(bytes, 1, len, fp) == len;
	if (fp && !ok)
		why_set(&why, "%s", strerror(errno));
	/* Half an object is of no use, so the file is removed. A device is not removed. */
	bool is_file = fp && fstat(fileno(fp), &st) == 0 && S_ISREG(st.st_mode);
	if (fp && fclose(fp) == EOF && ok) {
		ok = false;
		why_set(&why, "%s", strerror(errno));
	}
	free(bytes);
	if (ok)
		return 0;
	cli_error(c, "failed to write '%s': %s", c->ofile, why.text);
	if (is_file)
		remove(c->ofile);
	return EXIT_ERROR;
}
