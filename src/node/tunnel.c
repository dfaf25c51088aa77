/* See tunnel.h. */
#include "node/tunnel.h"

#include "base/clock.h"
#include "node/wait.h"

#include <arpa/inet.h>
#include <ei.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
	START_MS = 60000, /* a VM starts, on a busy machine */
	WORDS = 64,
	HELPER_IN = 3,
	HELPER_OUT = 4,
};

static const char evaluate[] =
    "spawn(fun() -> P = open_port({fd, 3, 4}, [binary, {packet, 4}, eof]), receive {P, {data, B}} -> "
    "{Name, Token, Beam} = binary_to_term(B), {module, M} = code:load_binary(erltrace_tunnel, \"erltrace_tunnel\", Beam), "
    "M:main(P, Name, Token); _ -> halt() end end)";

extern char **environ;

static bool
write_all(int fd, const char *at, size_t len)
{
	while (len) {
		ssize_t n = send(fd, at, len, MSG_NOSIGNAL);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		at += n;
		len -= (size_t)n;
	}
	return true;
}

static bool
read_some(int fd, char *at, size_t len, uint64_t deadline, const atomic_bool *stop)
{
	while (len) {
		if (!node_wait(fd, POLLIN, deadline, stop))
			return false;
		ssize_t n = read(fd, at, len);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		at += n;
		len -= (size_t)n;
	}
	return true;
}

/* Splits a copy of the options into words. Returns their number, or -1 if there are too many. */
static int
split(char *text, char **words, int most)
{
	int n = 0;
	for (char *rest = NULL, *w = strtok_r(text, " \t\n", &rest); w; w = strtok_r(NULL, " \t\n", &rest)) {
		if (n == most)
			return -1;
		words[n++] = w;
	}
	return n;
}

static bool
spawn(struct tunnel *t, int end, char *options, struct why *why)
{
	static const char *const before[] = {
	    "erl", "-noinput", "-boot", "start_clean", "-kernel", "logger_level", "emergency", "+B", "i", NULL};
	const char *erl = getenv("ERLTRACE_ERL");
	char *argv[WORDS + 16];
	int n = 0;
	while (before[n]) {
		argv[n] = (char *)(uintptr_t)before[n];
		n++;
	}
	int more = split(options, argv + n, WORDS);
	if (more < 0) {
		why_set(why, "--dist-opts has more than %d words", WORDS);
		return false;
	}
	n += more;
	argv[n++] = (char *)(uintptr_t) "-eval";
	argv[n++] = (char *)(uintptr_t)evaluate;
	argv[n] = NULL;
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attr;
	sigset_t none;
	sigemptyset(&none);
	posix_spawn_file_actions_init(&files);
	posix_spawnattr_init(&attr);
	posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_addopen(&files, 1, "/dev/null", O_WRONLY, 0);
	posix_spawn_file_actions_addopen(&files, 2, "/dev/null", O_WRONLY, 0);
	posix_spawn_file_actions_adddup2(&files, end, HELPER_IN);
	posix_spawn_file_actions_adddup2(&files, end, HELPER_OUT);
	/* Ctrl-C is not for it: tracing has to be ended through it */
	posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK);
	posix_spawnattr_setsigmask(&attr, &none);
	int err = posix_spawnp(&t->pid, erl ? erl : "erl", &files, &attr, argv, environ);
	posix_spawn_file_actions_destroy(&files);
	posix_spawnattr_destroy(&attr);
	if (err)
		why_set(why, "%s, which TLS needs, cannot be started: %s", erl ? erl : "erl", strerror(err));
	return err == 0;
}

/* {Name, Token, Beam} */
static void
introduce(const struct tunnel *t, const void *beam, size_t size)
{
	ei_x_buff x;
	if (ei_x_new_with_version(&x) < 0)
		return;
	ei_x_encode_tuple_header(&x, 3);
	ei_x_encode_binary(&x, t->name, (int)strlen(t->name));
	ei_x_encode_binary(&x, t->token, (int)strlen(t->token));
	ei_x_encode_binary(&x, beam, (int)size);
	uint32_t len = htonl((uint32_t)x.index);
	if (write_all(t->fd, (const char *)&len, sizeof len))
		write_all(t->fd, x.buff, (size_t)x.index);
	ei_x_free(&x);
}

static bool
is_up(const struct tunnel *t, const atomic_bool *stop, struct why *why)
{
	char text[512] = "";
	uint32_t len;
	uint64_t deadline = mono_ms() + START_MS;
	bool ok = read_some(t->fd, (char *)&len, sizeof len, deadline, stop) && (len = ntohl(len)) < sizeof text &&
		  read_some(t->fd, text, len, deadline, stop);
	if (ok && strcmp(text, "up") == 0)
		return true;
	if (ok)
		why_set(why, "TLS cannot be used with the options of --dist-opts: %s", text);
	else
		why_set(why, "the Erlang that speaks TLS did not start; are the options of --dist-opts right?");
	return false;
}

static void
random_text(char *text, size_t len)
{
	unsigned char bytes[16] = {0};
	if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes)
		memcpy(bytes, &(uint64_t){mono_ns()}, 8);
	for (size_t i = 0; i < len / 2 && i < sizeof bytes; i++)
		snprintf(text + 2 * i, 3, "%02x", bytes[i]);
}

/* The helper's end must not be one of the descriptors that it gets. */
static bool
make_ends(int ends[2])
{
	int pair[2];
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
		return false;
	for (unsigned i = 0; i < 2; i++) {
		ends[i] = fcntl(pair[i], F_DUPFD_CLOEXEC, HELPER_OUT + 1);
		close(pair[i]);
	}
	return ends[0] >= 0 && ends[1] >= 0;
}

struct tunnel *
tunnel_start(const char *options, const void *beam, size_t size, const atomic_bool *stop, struct why *why)
{
	struct tunnel *t = calloc(1, sizeof *t);
	char *copy = strdup(options);
	int ends[2] = {-1, -1};
	if (!t || !copy) {
		why_set(why, "out of memory");
		free(t);
		free(copy);
		return NULL;
	}
	atomic_init(&t->users, 1);
	snprintf(t->name, sizeof t->name, "erltrace-");
	random_text(t->name + strlen(t->name), 24);
	random_text(t->token, 32);
	bool ok = make_ends(ends);
	if (!ok)
		why_set(why, "no socket: %s", strerror(errno));
	ok = ok && spawn(t, ends[1], copy, why);
	t->fd = ends[0];
	if (ends[1] >= 0)
		close(ends[1]);
	free(copy);
	/* one that has ended already does not answer */
	if (ok) {
		introduce(t, beam, size);
		ok = is_up(t, stop, why);
	}
	if (ok)
		return t;
	tunnel_stop(t);
	return NULL;
}

struct tunnel *
tunnel_share(struct tunnel *t)
{
	atomic_fetch_add(&t->users, 1);
	return t;
}

bool
tunnel_lives(struct tunnel *t)
{
	pid_t ended = t->pid > 0 ? waitpid(t->pid, NULL, WNOHANG) : -1;
	if (ended != 0)
		t->pid = 0;
	return ended == 0;
}

void
tunnel_stop(struct tunnel *t)
{
	if (!t || atomic_fetch_sub(&t->users, 1) != 1)
		return;
	if (t->fd >= 0)
		close(t->fd);
	if (t->pid > 0) {
		kill(t->pid, SIGKILL);
		while (waitpid(t->pid, NULL, 0) < 0 && errno == EINTR)
			;
	}
	free(t);
}

/* The answer is one line, and nothing follows it until we have said something. */
static int
read_line(int fd, char *text, size_t size, uint64_t deadline, const atomic_bool *stop)
{
	size_t n = 0;
	for (;;) {
		if (!node_wait(fd, POLLIN, deadline, stop))
			return stop && atomic_load(stop) ? ECANCELED : ETIMEDOUT;
		ssize_t got = recv(fd, text + n, 1, MSG_DONTWAIT);
		if (got < 0 && (errno == EINTR || errno == EAGAIN))
			continue;
		if (got <= 0)
			return ECONNRESET;
		if (text[n] == '\n' || n + 1 == size)
			break;
		n++;
	}
	text[n] = '\0';
	return 0;
}

int
tunnel_connect(const struct tunnel *t, int fd, int net, const union node_end *node, const char *host, uint64_t deadline,
    const atomic_bool *stop, char *text, size_t size)
{
	struct sockaddr_un at = {.sun_family = AF_UNIX};
	char address[INET6_ADDRSTRLEN], network[64] = "-", line[512];
	size_t len = strlen(t->name);
	memcpy(at.sun_path + 1, t->name, len);
	inet_ntop(node->any.sa_family,
	    node->any.sa_family == AF_INET6 ? (const void *)&node->v6.sin6_addr : &node->v4.sin_addr, address,
	    sizeof address);
	if (net >= 0)
		snprintf(network, sizeof network, "/proc/%d/fd/%d", (int)getpid(), net);
	int n = snprintf(line, sizeof line, "%s %s %s %u %s\n", t->token, address, host, end_port(node), network);
	text[0] = '\0';
	if (n < 0 || (size_t)n >= sizeof line)
		return EINVAL;
	if (connect(fd, (struct sockaddr *)&at, (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + len)) != 0)
		return errno;
	if (send(fd, line, (size_t)n, MSG_NOSIGNAL) != n)
		return errno;
	int err = read_line(fd, text, size, deadline, stop);
	if (err)
		return err;
	if (strncmp(text, "no ", 3) == 0) {
		memmove(text, text + 3, strlen(text + 3) + 1);
		return EHOSTUNREACH;
	}
	if (strcmp(text, "ok") != 0)
		return EPROTO;
	text[0] = '\0';
	return 0;
}
