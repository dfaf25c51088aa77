/* erltrace export: its options, its signals and its life. */
#include "export/main.h"
#include "export/export.h"

#include "base/files.h"

#include <getopt.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char usage[] =
    "Usage: erltrace export [options] FILE\n"
    "Runs the scripts that the configuration FILE names on Erlang nodes, and offers what they aggregate as metrics for\n"
    "Prometheus. The signal HUP reads FILE again; TERM ends it.\n"
    "      --check    only checks FILE, and prints the metrics that it makes\n"
    "  -h, --help\n"
    "A FILE:\n"
    "    listen 127.0.0.1:9464\n"
    "    node shop@host\n"
    "    script gc\n"
    "    script /etc/erltrace/checkout.d 250\n"
    "        option maxoverhead=5\n";

static volatile int stop, reload;

static void
on_end(int sig)
{
	(void)sig;
	stop = 1;
}

static void
on_hup(int sig)
{
	(void)sig;
	reload = 1;
}

static void
handle_signals(void)
{
	static const int ends[] = {SIGINT, SIGTERM};
	struct sigaction act = {.sa_handler = on_end};
	sigset_t all;
	sigemptyset(&act.sa_mask);
	for (unsigned i = 0; i < sizeof ends / sizeof *ends; i++)
		sigaction(ends[i], &act, NULL);
	act.sa_handler = on_hup;
	sigaction(SIGHUP, &act, NULL);
	signal(SIGPIPE, SIG_IGN);
	/* the parent process may have blocked them */
	sigemptyset(&all);
	for (unsigned i = 0; i < sizeof ends / sizeof *ends; i++)
		sigaddset(&all, ends[i]);
	sigaddset(&all, SIGHUP);
	sigprocmask(SIG_UNBLOCK, &all, NULL);
}

static int
serve(const char *path, const char *cookie, struct conf *c)
{
	struct why why;
	static struct service s; /* threads that do not end in time still use it */
	s.path = path;
	s.cookie = cookie;
	s.conf = c;
	handle_signals();
	files_allow(8 * EXP_JOBS + 512); /* not more: the commands that it starts get the limit, too */
	struct endpoint *v = endpoint_open(&s, &why);
	if (!v) {
		export_say("%s", why.text);
		conf_free(c);
		return 1;
	}
	bool ok = service_start(&s, c, &why);
	if (ok)
		endpoint_serve(v, &stop, &reload);
	else
		export_say("%s", why.text);
	endpoint_close(v);
	service_stop(&s);
	if (s.nending)
		_exit(ok ? 0 : 1);
	return ok ? 0 : 1;
}

int
export_main(int argc, char **argv)
{
	static const struct option opts[] = {{"check", 0, NULL, 'c'}, {"help", 0, NULL, 'h'}, {NULL, 0, NULL, 0}};
	static char name[] = "erltrace export";
	struct why why;
	bool check = false;
	optind = 1;
	argv[0] = name; /* for getopt's messages */
	for (int o; (o = getopt_long(argc, argv, "h", opts, NULL)) != -1;)
		switch (o) {
		case 'c':
			check = true;
			break;
		case 'h':
			fputs(usage, stdout);
			return 0;
		default:
			fputs(usage, stderr);
			return 2;
		}
	if (argc - optind != 1) {
		fprintf(stderr, "erltrace export: it takes one configuration file\n%s", usage);
		return 2;
	}
	const char *env = getenv("ERLTRACE_COOKIE");
	char *cookie = env && *env ? strdup(env) : NULL;
	unsetenv("ERLTRACE_COOKIE");
	struct conf *c = conf_read(argv[optind], cookie, &why);
	int rc = 1;
	if (!c)
		export_say("%s", why.text);
	else if (check) {
		conf_show(c, stdout);
		conf_free(c);
		rc = 0;
	} else
		rc = serve(argv[optind], cookie, c);
	free(cookie);
	return rc;
}
