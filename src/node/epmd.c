/* See epmd.h. */
#include "node/epmd.h"

#include "base/clock.h"
#include "node/end.h"
#include "node/ns.h"
#include "node/wait.h"

#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { EPMD_PORT = 4369, EPMD_NAMES = 'n', EPMD_REPLY = 64 << 10, HERE_MS = 2000 };

int
epmd_port(void)
{
	const char *env = getenv("ERL_EPMD_PORT");
	int port = env ? atoi(env) : 0;
	return port > 0 && port < 65536 ? port : EPMD_PORT;
}

/* Returns a socket to one of the addresses, *list from then on, or -1 with errno. */
static int
dial(int net, const struct addrinfo **list, unsigned timeout, const atomic_bool *stop)
{
	int err = ECONNREFUSED;
	for (const struct addrinfo *a = *list; a; a = a->ai_next) {
		int fd = ns_socket(net, a->ai_family, SOCK_NONBLOCK);
		if (fd < 0)
			continue;
		socklen_t len = sizeof err;
		*list = a;
		if (connect(fd, a->ai_addr, a->ai_addrlen) == 0)
			return fd;
		err = errno;
		if (err == EINPROGRESS) {
			err = ETIMEDOUT;
			if (node_wait(fd, POLLOUT, mono_ms() + timeout, stop) &&
			    getsockopt(fd, SOL_SOCKET, SO_ERROR, &err, &len) == 0 && err == 0)
				return fd;
		}
		close(fd);
	}
	errno = err;
	return -1;
}

/* Reads all that epmd says. Returns the length, or -1. */
static ssize_t
epmd_names(int fd, char *text, size_t size, unsigned timeout, const atomic_bool *stop)
{
	static const char request[3] = {0, 1, EPMD_NAMES};
	size_t n = 0;
	if (send(fd, request, sizeof request, MSG_NOSIGNAL) != sizeof request)
		return -1;
	while (n < size - 1) {
		if (!node_wait(fd, POLLIN, mono_ms() + timeout, stop))
			return -1;
		ssize_t got = recv(fd, text + n, size - 1 - n, 0);
		if (got < 0)
			return -1;
		if (got == 0)
			break;
		n += (size_t)got;
	}
	text[n] = '\0';
	return (ssize_t)n;
}

/* The port of epmd itself comes first, in 4 bytes; then a line for each node. */
static void
each_line(const char *text, epmd_f *fn, void *arg)
{
	for (const char *line = text; *line;) {
		char alive[256];
		unsigned port;
		if (sscanf(line, "name %255s at port %u", alive, &port) == 2 && !fn(arg, alive, port))
			return;
		line += strcspn(line, "\n");
		line += *line == '\n';
	}
}

static enum epmd_answer
ask(int net, const struct addrinfo **at, unsigned ms, const atomic_bool *stop, epmd_f *fn, void *arg)
{
	int fd = dial(net, at, ms, stop);
	if (fd < 0)
		return EPMD_NONE;
	char *text = malloc(EPMD_REPLY);
	ssize_t len = text ? epmd_names(fd, text, EPMD_REPLY, ms, stop) : -1;
	close(fd);
	if (len >= 4)
		each_line(text + 4, fn, arg);
	free(text);
	return len >= 4 ? EPMD_ANSWERED : EPMD_SILENT;
}

enum epmd_answer
epmd_ask(const struct addrinfo **at, unsigned ms, const atomic_bool *stop, epmd_f *fn, void *arg)
{
	return ask(-1, at, ms, stop, fn, arg);
}

enum epmd_answer
epmd_ask_inside(int net, int port, epmd_f *fn, void *arg)
{
	union node_end here = end_here((unsigned)port);
	const struct addrinfo here_only = {.ai_family = AF_INET, .ai_addr = &here.any, .ai_addrlen = end_size(&here)};
	const struct addrinfo *at = &here_only;
	return ask(net, &at, HERE_MS, NULL, fn, arg);
}

enum epmd_answer
epmd_ask_here(epmd_f *fn, void *arg)
{
	return epmd_ask_inside(-1, epmd_port(), fn, arg);
}
