/* The erltrace command. */
#include "cli/cli.h"

#include "base/outfile.h"
#include "base/sbuf.h"
#include "base/tame.h"

#ifdef ET_WITH_EI
#include "port/port.h"
#endif

#ifdef ET_WITH_WEB
#include "export/main.h"
#include "web/main.h"
#endif

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool
is_utf8(void)
{
	static const char *const vars[] = {"LC_ALL", "LC_CTYPE", "LANG"};
	for (unsigned i = 0; i < 3; i++) {
		const char *v = getenv(vars[i]);
		if (v && *v)
			return strcasestr(v, "utf-8") || strcasestr(v, "utf8");
	}
	return false;
}

/* Returns whether foreign names must be tamed before they go there, because a terminal obeys some of them. */
static bool
is_tame(const struct cli *c, int fd)
{
	int64_t raw = 0;
	if (c->h)
		et_getopt(c->h, "rawtext", &raw, NULL);
	return !raw && isatty(fd);
}

void
cli_put(const struct cli *c, FILE *fp, const char *text, size_t len)
{
	struct sbuf tame = {0};
	bool utf8 = is_utf8();
	if (is_tame(c, fileno(fp)) && tame_is_needed(text, len, utf8))
		tame_add(&tame, text, len, utf8);
	else
		fwrite(text, 1, len, fp);
	if (tame.at)
		fwrite(tame.at, 1, tame.len, fp);
	sb_free(&tame);
}

static void
message(const struct cli *c, const char *fmt, va_list ap, const char *more)
{
	struct sbuf b = {0};
	/* on a terminal that is drawn on, it would be lost in the picture */
	FILE *to = cli_live_err(c) ? cli_live_err(c) : stderr;
	fflush(c->out);
	sb_printf(&b, "%s: ", c->pname);
	if (fmt)
		sb_vprintf(&b, fmt, ap);
	if (fmt && more)
		sb_adds(&b, ": ");
	size_t len = more ? strlen(more) : 0;
	while (len && more[len - 1] == '\n')
		len--;
	sb_add(&b, more ? more : "", len);
	sb_addc(&b, '\n');
	if (b.failed)
		fprintf(to, "%s: out of memory\n", c->pname);
	else
		cli_put(c, to, b.at, b.len);
	sb_free(&b);
}

void
cli_error(const struct cli *c, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	message(c, fmt, ap, NULL);
	va_end(ap);
}

void
cli_lib_error(const struct cli *c, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	message(c, fmt, ap, et_errmsg(c->h, et_errno(c->h)));
	va_end(ap);
}

void
cli_notice(const struct cli *c, const char *fmt, ...)
{
	if (c->quiet)
		return;
	va_list ap;
	va_start(ap, fmt);
	message(c, fmt, ap, NULL);
	va_end(ap);
}

bool
cli_output_gone(const struct cli *c)
{
	struct pollfd p = {.fd = fileno(c->out), .events = POLLOUT};
	return poll(&p, 1, 0) > 0 && (p.revents & (POLLERR | POLLHUP)) != 0;
}

/* Flushes the output. Returns an exit status if it could not be written, with a message if `say` is set. */
static int
finish_output(struct cli *c, bool say)
{
	bool failed = fflush(c->out) == EOF || ferror(c->out);
	int err = errno;
	if (c->out != stdout && fclose(c->out) == EOF && !failed) {
		failed = true;
		err = errno;
	}
	bool gone = c->out == stdout && failed && (err == EPIPE || cli_output_gone(c));
	c->out = stdout;
	if (!failed || gone)
		return EXIT_OK;
	if (say)
		cli_error(c, "failed to write the output: %s", strerror(err));
	return EXIT_ERROR;
}

/* Files that we open must not become standard input, output or error, and writing to a closed one must fail. */
static void
fill_standard_fds(void)
{
	for (int fd = open("/dev/null", O_RDONLY); fd >= 0; fd = open("/dev/null", O_RDONLY))
		if (fd > STDERR_FILENO) {
			close(fd);
			break;
		}
}

/* Colours and block characters are for terminals that can show them. On any terminal, data must not be obeyed. */
static void
set_show(struct cli *c)
{
	const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");
	bool terminal = isatty(fileno(c->out)), plain = c->out != stdout || !term || strcmp(term, "dumb") == 0;
	unsigned show = is_utf8() ? ET_SHOW_UTF8 : 0;
	if (terminal)
		show |= ET_SHOW_SAFE;
	if (terminal && !plain && (!no_color || !*no_color))
		show |= ET_SHOW_COLOUR | (is_utf8() ? ET_SHOW_UNICODE : 0u);
	c->show = show;
	et_set_show(c->h, show);
}

static bool
open_output(struct cli *c)
{
	if (!c->ofile || cli_wants_picture(c))
		return true;
	struct why why;
	FILE *fp = out_fopen(c->ofile, O_APPEND, &why);
	if (!fp) {
		cli_error(c, "failed to open output file '%s': %s", c->ofile, why.text);
		return false;
	}
	c->out = fp;
	return true;
}

static void
on_note(const char *text, void *arg)
{
	cli_error(arg, "%s", text);
}

/* Everything that is done with a handle. */
static int
work(struct cli *c)
{
	et_handle_note(c->h, on_note, c);
	int err = cli_take_word(c);
	if (!err && c->count >= 0 && !c->calls) {
		cli_error(c,
		    "--count is for the calls of functions (-N shop shop_db:store/2); a script ends by exit() or --for");
		err = EXIT_USAGE;
	}
	if (!err)
		err = cli_apply_options(c);
	if (!err)
		err = cli_live_check(c);
	if (!err)
		err = cli_find_nodes(c);
	if (!err)
		err = cli_pairs_check(c);
	if (!err && c->node && cli_attach(c) != 0) {
		cli_lib_error(c, NULL);
		err = EXIT_ERROR;
	}
	if (!err)
		err = cli_targets_open(c);
	if (!err)
		err = cli_attach_target(c);
	if (!err)
		err = cli_find_processes(c);
	if (!err)
		err = cli_compile(c);
	if (err)
		return err;
	int64_t quiet = 0;
	et_getopt(c->h, "quiet", &quiet, NULL);
	c->quiet = quiet != 0;
	if (c->mode == MODE_OBJECT)
		return cli_save(c);
	if (!open_output(c))
		return EXIT_ERROR;
	set_show(c);
	if (c->mode == MODE_LIST)
		return cli_list(c);
	err = cli_enable(c);
	if (err || c->compile_only)
		return err;
	if (c->matched == 0 && !(c->cflags & ET_C_ZDEFS)) {
		if (c->nprogs || !c->node)
			cli_error(c, "no probes %s", c->nprogs ? "matched" : "specified");
		else
			cli_error(c,
			    "no probes specified; `%s -N %s top` shows what the node does, `%s scripts` lists questions "
			    "that can be asked by a name, and -n takes a program",
			    c->pname, c->node, c->pname);
		return EXIT_ERROR;
	}
	return cli_run(c);
}

static int
with_handle(struct cli *c)
{
	int err;
	c->h = et_open(ET_VERSION, &err);
	if (!c->h) {
		cli_error(c, "failed to initialize: %s", et_errmsg(NULL, err));
		return EXIT_ERROR;
	}
	int status = work(c);
	if (status == 0)
		cli_end_calls(c);
	cli_targets_close(c);
	cli_picture_close(c);
	cli_live_close(c);
	cli_alerts_close(c);
	cli_pairs_free(c);
	et_close(c->h);
	int written = finish_output(c, status == 0);
	return status ? status : written;
}

static void
cli_free(struct cli *c)
{
	cli_alerts_close(c);
	for (unsigned i = 0; i < c->nprogs; i++)
		free(c->progs[i].name);
	for (unsigned i = 0; i < c->nopts; i++)
		free(c->opts[i].heap);
	free(c->progs);
	free(c->opts);
	free(c->targets);
	free(c->args);
	cli_free_nodes(c);
	free(c->ready);
	cli_free_processes(c);
	cli_free_calls(c);
}

int
main(int argc, char **argv)
{
	fill_standard_fds();
	signal(SIGPIPE, SIG_IGN);
#ifdef ET_WITH_EI
	if (argc == 2 && strcmp(argv[1], "--port") == 0)
		return port_main();
#endif
#ifdef ET_WITH_WEB
	if (argc >= 2 && strcmp(argv[1], "serve") == 0)
		return web_main(argc - 1, argv + 1);
	if (argc >= 2 && strcmp(argv[1], "export") == 0)
		return export_main(argc - 1, argv + 1);
#else
	if (argc >= 2 && (strcmp(argv[1], "serve") == 0 || strcmp(argv[1], "export") == 0)) {
		fprintf(stderr,
		    "erltrace %s: this command was built without %s; build it where libwebsockets and jansson are "
		    "(Debian: libwebsockets-dev, libjansson-dev)\n",
		    argv[1], *argv[1] == 's' ? "the page" : "it");
		return EXIT_ERROR;
	}
#endif
	const char *slash = argc > 0 ? strrchr(argv[0], '/') : NULL;
	struct cli c = {.pname = slash ? slash + 1 : argc > 0 ? argv[0] : "erltrace", .out = stdout, .count = -1};
	/* The cookie is not taken from the command line, which everybody on the machine can read. It is hidden from
	 * the commands of -c and system(). */
	const char *cookie = getenv("ERLTRACE_COOKIE");
	c.cookie = cookie && *cookie ? strdup(cookie) : NULL;
	unsetenv("ERLTRACE_COOKIE");
	int status = cli_parse(&c, argc, argv);
	if (status < 0)
		switch (c.mode) {
		case MODE_HELP:
			cli_usage(&c, stdout);
			status = finish_output(&c, true);
			break;
		case MODE_VERSION:
			printf("%s: erltrace D %s\n", c.pname, et_version());
			if (c.verbose)
				printf("D objects: version 1\nlibrary interface: version %d\n", ET_VERSION);
			status = finish_output(&c, true);
			break;
		case MODE_NODES:
			status = cli_list_nodes(&c);
			status |= finish_output(&c, true);
			break;
		case MODE_SCRIPTS:
			status = cli_list_scripts(&c);
			status |= finish_output(&c, true);
			break;
		default:
			status = with_handle(&c);
		}
	cli_free(&c);
	free(c.cookie);
	return status;
}
