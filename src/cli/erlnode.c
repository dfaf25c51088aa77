/*
 * -c and -p if the process is an Erlang node: finds its name, so that the command can attach to it.
 *
 * A node that -c starts must be distributed. One without a name gets one through ERL_AFLAGS, together with an
 * expression that holds it until tracing is on (the agent lets it go). The expression first removes itself from the
 * environment, because nodes that this one starts are not ours. The cookie is the user's own, because a cookie on a
 * command line would not be secret.
 */
#include "base/clock.h"
#include "cli/beam.h"
#include "cli/cli.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <dirent.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { CMDLINE = 64 << 10, EPMD_PORT = 4369, START_MS = 60000 };

static const char variable[] = "ERL_AFLAGS";
static const char wait_for_go[] = "receive{go}->[]after(60000)->[]end,unregister(erltrace_start)";

bool
cli_is_erlang(const char *command)
{
	static const char *const names[] = {"erl", "iex", "elixir", "mix", "rebar3", "beam.smp", "werl", NULL};
	const char *base = strrchr(command, '/');
	base = base ? base + 1 : command;
	for (unsigned i = 0; names[i]; i++)
		if (strcmp(base, names[i]) == 0)
			return true;
	return false;
}

static bool
is_name_option(const char *arg)
{
	return strcmp(arg, "-name") == 0 || strcmp(arg, "-sname") == 0 || strcmp(arg, "--name") == 0 ||
	       strcmp(arg, "--sname") == 0;
}

static bool
is_cookie_option(const char *arg)
{
	return strcmp(arg, "-setcookie") == 0 || strcmp(arg, "--cookie") == 0;
}

/* Writes a string as Erlang's list of bytes: quotes would be lost in the shell scripts that start nodes. */
static void
put_list(FILE *f, const char *text)
{
	for (const char *c = text; *c; c++)
		fprintf(f, "%c%u", c == text ? '[' : ',', (unsigned char)*c);
	fputs(*text ? "]" : "[]", f);
}

static void
put_flags(FILE *f, bool named, const char *before)
{
	if (!named)
		fprintf(f, "-sname erl_target_%d ", (int)getpid());
	/* registered first: the agent recognises a held node by this name or by the variable */
	fputs("-eval register(erltrace_start,self()),", f);
	fputs(before ? "os:putenv(" : "os:unsetenv(", f);
	put_list(f, variable);
	if (before) {
		fputs(",unicode:characters_to_list(list_to_binary(", f);
		put_list(f, before);
		fputs("))", f);
	}
	fprintf(f, "),%s %s", wait_for_go, before ? before : "");
}

void
cli_erlang_environment(char *const *argv)
{
	bool named = false;
	for (; *argv; argv++)
		named |= is_name_option(*argv);
	char *flags = NULL;
	size_t size;
	FILE *f = open_memstream(&flags, &size);
	if (!f)
		return;
	put_flags(f, named, getenv(variable));
	if (fclose(f) == 0)
		setenv(variable, flags, 1);
	free(flags);
}

/* -- the node of a process ------------------------------------------------------------------------------------------
 */

/* Reads the words of its command line, each with its NUL. Returns the length. */
static size_t
read_cmdline(pid_t pid, char *text, size_t size)
{
	char path[64];
	snprintf(path, sizeof path, "/proc/%d/cmdline", (int)pid);
	FILE *f = fopen(path, "re");
	size_t n = f ? fread(text, 1, size - 1, f) : 0;
	if (f)
		fclose(f);
	text[n] = '\0';
	return n;
}

bool
beam_is(pid_t pid)
{
	char path[64], exe[4096];
	snprintf(path, sizeof path, "/proc/%d/exe", (int)pid);
	ssize_t n = readlink(path, exe, sizeof exe - 1);
	if (n <= 0) {
		/* It is somebody else's process: everybody can read its name. */
		snprintf(path, sizeof path, "/proc/%d/comm", (int)pid);
		FILE *f = fopen(path, "re");
		n = f ? (ssize_t)fread(exe, 1, sizeof exe - 1, f) : 0;
		if (f)
			fclose(f);
	}
	exe[n > 0 ? n : 0] = '\0';
	const char *base = strrchr(exe, '/');
	return strncmp(base ? base + 1 : exe, "beam", 4) == 0;
}

/* Finds the inodes of the sockets that the process has open. */
static unsigned
own_sockets(pid_t pid, unsigned long *inodes, unsigned max)
{
	char path[64], link[4096], to[64];
	unsigned n = 0;
	snprintf(path, sizeof path, "/proc/%d/fd", (int)pid);
	DIR *d = opendir(path);
	for (struct dirent *e; d && n < max && (e = readdir(d));) {
		snprintf(link, sizeof link, "%s/%s", path, e->d_name);
		ssize_t len = readlink(link, to, sizeof to - 1);
		if (len <= 0)
			continue;
		to[len] = '\0';
		if (sscanf(to, "socket:[%lu]", &inodes[n]) == 1)
			n++;
	}
	if (d)
		closedir(d);
	return n;
}

/* Returns whether the process listens on this TCP port. */
bool
beam_listens(pid_t pid, unsigned port)
{
	static const char *const files[] = {"/proc/net/tcp", "/proc/net/tcp6"};
	unsigned long inodes[1024];
	unsigned n = own_sockets(pid, inodes, 1024);
	for (unsigned i = 0; i < 2; i++) {
		char line[512];
		FILE *f = fopen(files[i], "re");
		while (f && fgets(line, sizeof line, f)) {
			unsigned local, state;
			unsigned long inode;
			/* slot, local address:port, remote, state, queues, timer, retransmits, uid, timeout, inode */
			if (sscanf(line, " %*[^:]: %*[^:]:%x %*[^ ] %x %*s %*s %*s %*s %*s %lu", &local, &state,
				&inode) != 3 ||
			    local != port || state != 0x0a)
				continue;
			for (unsigned k = 0; k < n; k++)
				if (inodes[k] == inode) {
					fclose(f);
					return true;
				}
		}
		if (f)
			fclose(f);
	}
	return false;
}

bool
epmd_each(bool (*fn)(void *arg, const char *alive, unsigned port), void *arg)
{
	static const char request[3] = {0, 1, 'n'};
	struct sockaddr_in to = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	const char *env = getenv("ERL_EPMD_PORT");
	int port = env ? atoi(env) : 0;
	to.sin_port = htons((uint16_t)(port > 0 && port < 65536 ? port : EPMD_PORT));
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	struct timeval limit = {.tv_sec = 2};
	if (fd < 0)
		return false;
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
	bool answers = connect(fd, (struct sockaddr *)&to, sizeof to) == 0 &&
		       send(fd, request, sizeof request, MSG_NOSIGNAL) == sizeof request;
	FILE *f = answers ? fdopen(fd, "r") : NULL;
	if (!f) {
		close(fd);
		return false;
	}
	char line[512], alive[256];
	unsigned at;
	answers = fread(line, 1, 4, f) == 4;
	for (bool go_on = answers; go_on && fgets(line, sizeof line, f);)
		if (sscanf(line, "name %255s at port %u", alive, &at) == 2)
			go_on = fn(arg, alive, at);
	fclose(f);
	return answers;
}

void
beam_words(pid_t pid, char *name, size_t nsize, char *cookie, size_t csize)
{
	char *text = malloc(CMDLINE);
	size_t len = text ? read_cmdline(pid, text, CMDLINE) : 0;
	name[0] = cookie[0] = '\0';
	for (size_t at = 0; at < len; at += strlen(text + at) + 1) {
		size_t next = at + strlen(text + at) + 1;
		if (next < len && is_name_option(text + at))
			snprintf(name, nsize, "%s", text + next);
		if (next < len && is_cookie_option(text + at))
			snprintf(cookie, csize, "%s", text + next);
	}
	free(text);
}

struct asking {
	pid_t pid;
	char *name;
	size_t size;
};

static bool
is_its_name(void *arg, const char *alive, unsigned port)
{
	struct asking *a = arg;
	if (!beam_listens(a->pid, port))
		return true;
	snprintf(a->name, a->size, "%s", alive);
	return false;
}

/* Finds name and cookie on its command line, otherwise from epmd; "" if unknown. */
static void
find_node(pid_t pid, char *name, size_t nsize, char *cookie, size_t csize)
{
	struct asking a = {pid, name, nsize};
	beam_words(pid, name, nsize, cookie, csize);
	if (!name[0])
		epmd_each(is_its_name, &a);
}

/* It is our child, so it stays a zombie until it is waited for. */
static bool
has_ended(const struct cli_target *t)
{
	siginfo_t info = {0};
	return waitid(P_PID, (id_t)t->pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == t->pid;
}

/* Waits until the node that -c has started answers. */
static int
attach_when_up(struct cli *c, const struct cli_target *t)
{
	int rc = -1;
	uint64_t end = mono_ms() + START_MS;
	while (rc != 0 && mono_ms() < end) {
		nanosleep(&(struct timespec){.tv_nsec = 100000000}, NULL);
		find_node(t->pid, c->found_node, sizeof c->found_node, c->found_cookie, sizeof c->found_cookie);
		if (has_ended(t))
			break;
		if (c->found_node[0])
			rc = et_attach(c->h, c->found_node,
			    c->cookie            ? c->cookie
			    : c->found_cookie[0] ? c->found_cookie
						 : NULL);
	}
	return rc;
}

/* Returns whether any line of the programs says so. A program that cannot be read counts as yes. */
static bool
any_line(const struct cli *c, bool (*says)(const char *line))
{
	bool found = false;
	for (unsigned i = 0; !found && i < c->nprogs; i++) {
		const struct cli_prog *p = &c->progs[i];
		if (p->kind == PROG_TEXT || p->kind == PROG_READY) {
			found = says(p->text ? p->text : p->arg);
			continue;
		}
		char *line = NULL;
		size_t room = 0;
		struct stat st;
		/* what can be read only once is left for the compiler */
		bool again = p->kind == PROG_FILE && stat(p->arg, &st) == 0 && S_ISREG(st.st_mode);
		FILE *f = again ? fopen(p->arg, "re") : NULL;
		found = !f;
		while (f && !found && getline(&line, &room, f) > 0)
			found = says(line);
		free(line);
		if (f)
			fclose(f);
	}
	return found;
}

static bool
says_erlang(const char *line)
{
	return strstr(line, "erlang") != NULL;
}

/* A description with a provider of the kernel, or of the inside of processes. */
static bool
says_kernel(const char *line)
{
	static const char *const names[] = {"syscall", "sched", "proc", "io", "fsinfo", "sysinfo", "vminfo", "lockstat",
	    "ip", "tcp", "udp", "fbt", "rawtp", "sdt", NULL};
	bool in_word = false;
	for (const char *s = line; *s; s++) {
		bool first = !in_word;
		in_word = isalnum((unsigned char)*s) || *s == '_' || *s == '-' || *s == '$' || *s == '>' || *s == '.';
		if (!first || !in_word)
			continue;
		if (strncmp(s, "pid", 3) == 0 && (s[3] == '$' || isdigit((unsigned char)s[3])))
			return true;
		for (unsigned i = 0; names[i]; i++) {
			size_t n = strlen(names[i]);
			if (strncmp(s, names[i], n) == 0 && s[n] == ':')
				return true;
		}
	}
	return false;
}

/* Returns whether the VM has USDT probes, which the kernel engine sees from outside. */
static bool
has_usdt(struct cli *c, pid_t pid)
{
	char name[32];
	snprintf(name, sizeof name, "erlang%d:::", (int)pid);
	return et_probe_iter(c->h, name, ET_PROBESPEC_NAME, NULL, NULL) > 0;
}

bool
cli_stays_in_kernel(struct cli *c)
{
	int64_t engine = 0;
	et_getopt(c->h, "engine", &engine, NULL);
	return engine == 2 || (any_line(c, says_kernel) && !any_line(c, says_erlang));
}

/* Returns whether to look at the process only from the kernel: because of an option, or because nothing else is
 * possible. */
static bool
stays_outside(struct cli *c, pid_t pid)
{
	int64_t engine = 0;
	et_getopt(c->h, "engine", &engine, NULL);
	return cli_stays_in_kernel(c) ||
	       (!c->found_node[0] && (!any_line(c, says_erlang) || (engine == 0 && has_usdt(c, pid))));
}

int
cli_attach_target(struct cli *c)
{
	if (c->node || !c->ntargets)
		return 0;
	struct cli_target *t = &c->targets[0];
	if (t->is_erlang) {
		if (attach_when_up(c, t) == 0)
			return 0;
		if (c->found_node[0])
			cli_lib_error(c, NULL);
		else
			cli_error(c, "the node of '%s' did not come up", t->arg);
		return EXIT_ERROR;
	}
	if (t->is_command || !beam_is(t->pid))
		return 0;
	find_node(t->pid, c->found_node, sizeof c->found_node, c->found_cookie, sizeof c->found_cookie);
	if (stays_outside(c, t->pid))
		return 0;
	if (!c->found_node[0]) {
		cli_error(c,
		    "process %d is an Erlang node without a name: it cannot be attached to (start it with -sname)%s",
		    (int)t->pid, has_usdt(c, t->pid) ? "" : ", and its VM was built without USDT probes");
		return EXIT_ERROR;
	}
	if (cli_attach(c, c->found_node, c->cookie ? c->cookie : c->found_cookie[0] ? c->found_cookie : NULL) == 0)
		return 0;
	cli_lib_error(c, NULL);
	return EXIT_ERROR;
}
