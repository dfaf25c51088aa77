/* erltrace serve: its options and its life. */
#include "base/opts.h"
#include "web/web.h"
#include "web/main.h"

#include "base/secret.h"

#include <arpa/inet.h>
#include <errno.h>
#include <getopt.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const char usage[] =
    "Usage: erltrace serve [options]\n"
    "Serves a page that runs D scripts and shows what they gather. It prints a URL that lets one browser in,\n"
    "and another one on the signal USR1.\n"
    "  -p, --port N            port (8371; 0: any that is free)\n"
    "  -l, --listen ADDRESS    another address than 127.0.0.1: needs --tls-cert and --tls-key, or --insecure\n"
    "  -N, --node NODE         an Erlang node that scripts may trace; may be given several times\n"
    "      --cookie COOKIE     of the nodes ($ERLTRACE_COOKIE, or ~/.erlang.cookie)\n"
    "      --kernel            scripts may also use probes of the kernel and of other processes; if the server runs as root,\n"
    "                          users of the page then see what everybody on this machine does\n"
    "  -s, --scripts FOLDER    ready scripts (*.d) for the library (those that came with erltrace)\n"
    "      --host NAME         a name that this server is reached by; may be given several times\n"
    "      --tls-cert FILE, --tls-key FILE\n"
    "      --insecure          other addresses without TLS: whoever can listen on the network can read everything\n"
    "      --max-scripts N     scripts at once (16, at most 64)\n"
    "      --max-clients N     pages at once (64)\n"
    "      --memory SIZE       for all scripts and what they gather (1g, on large machines more)\n"
    "      --deadline S        seconds for compiling and for lists of probes (10)\n"
    "      --token-life S      seconds that a printed URL is valid (600)\n"
    "      --session-life S    seconds after which a browser that was not used is logged out (43200)\n"
    "      --with-stdin        ends when standard input is closed; a line there asks for another URL\n"
    "  -w                      permits destructive actions\n"
    "  -h, --help\n";

static volatile int stop, want_url;
static timer_t last_resort;

/* The server ends however busy it is: a timer's signal comes if it has not ended by then. */
static void
end_soon(void)
{
	struct itimerspec when = {.it_value = {WEB_END_MS / 1000, (long)(WEB_END_MS % 1000) * 1000000}};
	if (!stop)
		timer_settime(last_resort, 0, &when, NULL);
	stop = 1;
}

static void
on_signal(int sig)
{
	int err = errno;
	(void)sig;
	end_soon();
	errno = err;
}

static void
on_usr1(int sig)
{
	(void)sig;
	want_url = 1;
}

/* Nodes and the kernel clean up by themselves after a process that is gone. */
static void
on_last_resort(int sig)
{
	(void)sig;
	_exit(0);
}

static void
handle_signals(void)
{
	static const int ends[] = {SIGINT, SIGTERM, SIGHUP};
	struct sigaction act = {.sa_handler = on_signal};
	struct sigevent ev = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGALRM};
	sigset_t all;
	sigemptyset(&act.sa_mask);
	timer_create(CLOCK_MONOTONIC, &ev, &last_resort);
	for (unsigned i = 0; i < sizeof ends / sizeof *ends; i++)
		sigaction(ends[i], &act, NULL);
	act.sa_handler = on_usr1;
	sigaction(SIGUSR1, &act, NULL);
	act.sa_handler = on_last_resort;
	sigaction(SIGALRM, &act, NULL);
	signal(SIGPIPE, SIG_IGN);
	/* the parent process may have blocked them */
	sigemptyset(&all);
	for (unsigned i = 0; i < sizeof ends / sizeof *ends; i++)
		sigaddset(&all, ends[i]);
	sigaddset(&all, SIGUSR1);
	sigaddset(&all, SIGALRM);
	sigprocmask(SIG_UNBLOCK, &all, NULL);
}

static int
misused(const char *why, const char *what)
{
	fprintf(stderr, "erltrace serve: %s%s%s\n%s", why, what ? ": " : "", what ? what : "", usage);
	return 2;
}

static bool
number(const char *text, long most, long *n)
{
	char *end;
	*n = strtol(text, &end, 10);
	return *text && !*end && *n >= 0 && *n <= most;
}

static bool
is_loopback(const char *addr)
{
	/* NOLINTNEXTLINE(clang-analyzer-core.NonNullParamChecker): web_conf.listen has a default */
	return strncmp(addr, "127.", 4) == 0 || strcmp(addr, "::1") == 0;
}

enum {
	O_COOKIE = 256,
	O_HOST,
	O_CERT,
	O_KEY,
	O_INSECURE,
	O_SCRIPTS,
	O_CLIENTS,
	O_STDIN,
	O_KERNEL,
	O_MEMORY,
	O_DEADLINE,
	O_TOKEN,
	O_LOGIN
};

/* Enough for the default options with this number of processors. */
static size_t
default_memory(void)
{
	long cpus = sysconf(_SC_NPROCESSORS_CONF);
	size_t least = (size_t)1 << 30, by_cpu = (size_t)(cpus > 0 ? cpus : 1) * 64 << 20;
	return by_cpu > least ? by_cpu : least;
}

/* Returns 0 to go on, otherwise the exit status plus one. */
static int
read_options(struct web_conf *c, int argc, char **argv)
{
	static const struct option opts[] = {{"port", 1, NULL, 'p'}, {"listen", 1, NULL, 'l'}, {"node", 1, NULL, 'N'},
	    {"cookie", 1, NULL, O_COOKIE}, {"scripts", 1, NULL, 's'}, {"host", 1, NULL, O_HOST},
	    {"tls-cert", 1, NULL, O_CERT}, {"tls-key", 1, NULL, O_KEY}, {"insecure", 0, NULL, O_INSECURE},
	    {"max-scripts", 1, NULL, O_SCRIPTS}, {"max-clients", 1, NULL, O_CLIENTS}, {"with-stdin", 0, NULL, O_STDIN},
	    {"kernel", 0, NULL, O_KERNEL}, {"memory", 1, NULL, O_MEMORY}, {"deadline", 1, NULL, O_DEADLINE},
	    {"token-life", 1, NULL, O_TOKEN}, {"session-life", 1, NULL, O_LOGIN}, {"help", 0, NULL, 'h'},
	    {NULL, 0, NULL, 0}};
	static char name[] = "erltrace serve";
	long n;
	int64_t size;
	unsigned char addr[16];
	optind = 1;
	argv[0] = name; /* for getopt's messages */
	for (int o; (o = getopt_long(argc, argv, "p:l:N:s:wh", opts, NULL)) != -1;)
		switch (o) {
		case 'p':
			if (!number(optarg, 65535, &n))
				return misused("a port is a number up to 65535", optarg) + 1;
			c->port = (int)n;
			break;
		case 'l':
			c->listen = optarg;
			break;
		case 'N':
			if (c->nnodes == WEB_NODES)
				return misused("too many nodes", optarg) + 1;
			if (!*optarg)
				return misused("-N takes the name of a node, such as shop or shop@host", NULL) + 1;
			c->nodes[c->nnodes++] = optarg;
			break;
		case 's':
			c->scripts = optarg;
			break;
		case 'w':
			c->destructive = true;
			break;
		case 'h':
			fputs(usage, stdout);
			return 0 + 1;
		case O_COOKIE:
			free(c->cookie);
			c->cookie = secret_take(optarg);
			break;
		case O_KERNEL:
			c->kernel = true;
			break;
		case O_MEMORY:
			if (!opt_parse_size(optarg, &size) || size < 64 << 20)
				return misused("memory is a size of at least 64m", optarg) + 1;
			c->memory = (size_t)size;
			break;
		case O_DEADLINE:
			if (!number(optarg, 3600, &n) || !n)
				return misused("a deadline is 1 to 3600 seconds", optarg) + 1;
			c->deadline = (unsigned)n * 1000;
			break;
		case O_TOKEN:
			if (!number(optarg, 86400, &n) || !n)
				return misused("a URL is good for 1 to 86400 seconds", optarg) + 1;
			c->token_life = (unsigned)n;
			break;
		case O_LOGIN:
			if (!number(optarg, 604800, &n) || !n)
				return misused("a session lasts 1 to 604800 seconds", optarg) + 1;
			c->login_life = (unsigned)n;
			break;
		case O_HOST:
			if (c->nhosts == WEB_HOSTS)
				return misused("too many names", optarg) + 1;
			c->hosts[c->nhosts++] = optarg;
			break;
		case O_CERT:
			c->cert = optarg;
			break;
		case O_KEY:
			c->key = optarg;
			break;
		case O_INSECURE:
			c->insecure = true;
			break;
		case O_SCRIPTS:
			if (!number(optarg, WEB_RUNS_MOST, &n) || !n)
				return misused("scripts at once are 1 to 64", optarg) + 1;
			c->max_runs = (unsigned)n;
			break;
		case O_CLIENTS:
			if (!number(optarg, 10000, &n) || !n)
				return misused("pages at once are 1 to 10000", optarg) + 1;
			c->max_clients = (unsigned)n;
			break;
		case O_STDIN:
			c->with_stdin = true;
			break;
		default:
			fputs(usage, stderr);
			return 2 + 1;
		}
	if (optind < argc)
		return misused("what is this for", argv[optind]) + 1;
	if (!c->cert != !c->key)
		return misused("TLS needs both --tls-cert and --tls-key", NULL) + 1;
	if (inet_pton(AF_INET, c->listen, addr) != 1 && inet_pton(AF_INET6, c->listen, addr) != 1)
		return misused("--listen takes an IPv4 or IPv6 address", c->listen) + 1;
	if (!is_loopback(c->listen) && !c->cert && !c->insecure)
		return misused("an address that others can reach needs --tls-cert and --tls-key, or --insecure",
			   c->listen) +
		       1;
	return 0;
}

int
web_main(int argc, char **argv)
{
	struct why why;
	struct server *s = calloc(1, sizeof *s);
	if (!s) {
		fputs("erltrace serve: out of memory\n", stderr);
		return 1;
	}
	s->conf = (struct web_conf){.listen = "127.0.0.1",
	    .port = 8371,
	    .max_runs = WEB_RUNS,
	    .max_clients = WEB_CLIENTS,
	    .deadline = 10000,
	    .token_life = 600,
	    .login_life = 12 * 3600,
	    .memory = default_memory()};
	/* Not from the command line, which everybody on the machine can read. */
	const char *cookie = getenv("ERLTRACE_COOKIE");
	s->conf.cookie = cookie && *cookie ? strdup(cookie) : NULL;
	unsetenv("ERLTRACE_COOKIE");
	int rc = read_options(&s->conf, argc, argv);
	if (rc) {
		free(s->conf.cookie);
		free(s);
		return rc - 1;
	}
	handle_signals();
	bool ok = server_open(s, &why);
	if (ok) {
		if (s->conf.kernel)
			fputs(
			    "erltrace serve: --kernel: whoever has this page sees the kernel and all processes that this user "
			    "may see\n",
			    stderr);
		server_serve(s, &stop, &want_url);
		end_soon();
	} else
		fprintf(stderr, "erltrace serve: %s\n", why.text);
	server_close(s);
	free(s->conf.cookie);
	free(s);
	return ok ? 0 : 1;
}
