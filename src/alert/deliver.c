/*
 * Delivering one message: a POST by HTTP, or a command that gets it on its standard input. Both have a deadline.
 *
 * HTTP is a request and the first line of the answer, so it is written out here: a client library would be needed for
 * nothing else. What needs https goes through a command, such as curl.
 */
#include "alert/alert.h"

#include "base/clock.h"
#include "base/sbuf.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

struct alert_url {
	char host[256], port[8];
	const char *path;
};

static bool
parse_url(const char *url, struct alert_url *u, struct why *why)
{
	if (strncmp(url, "http://", 7) != 0) {
		why_set(why, "a URL begins with http://; for others use a command, such as curl: %s", url);
		return false;
	}
	const char *at = url + 7, *end = at + strcspn(at, "/");
	u->path = *end ? end : "/";
	const char *host = at, *host_end = end, *colon = NULL;
	if (*at == '[') {
		const char *close = memchr(at, ']', (size_t)(end - at));
		host = at + 1;
		host_end = close ? close : at + 1;
		colon = close && close[1] == ':' ? close + 1 : NULL;
	} else if ((colon = memchr(at, ':', (size_t)(end - at))))
		host_end = colon;
	size_t nhost = (size_t)(host_end - host), nport = colon ? (size_t)(end - colon - 1) : 0;
	if (!nhost || nhost >= sizeof u->host || nport >= sizeof u->port || (colon && !nport) ||
	    strpbrk(url, " \r\n\t")) {
		why_set(why, "not a URL such as http://host:9093/api/v2/alerts: %s", url);
		return false;
	}
	memcpy(u->host, host, nhost);
	u->host[nhost] = '\0';
	memcpy(u->port, colon ? colon + 1 : "80", colon ? nport : 2);
	u->port[colon ? nport : 2] = '\0';
	return true;
}

bool
alert_url_ok(const char *url, struct why *why)
{
	struct alert_url u;
	return parse_url(url, &u, why);
}

/* Waits until the file is ready or the time is over. */
static bool
ready(int fd, short events, uint64_t until)
{
	struct pollfd p = {.fd = fd, .events = events};
	for (;;) {
		uint64_t now = mono_ms();
		if (now >= until)
			return false;
		int n = poll(&p, 1, (int)(until - now));
		if (n > 0)
			return true;
		if (n < 0 && errno != EINTR)
			return false;
	}
}

static int
connect_to(const struct alert_url *u, uint64_t until, struct why *why)
{
	struct addrinfo hints = {.ai_socktype = SOCK_STREAM}, *all = NULL;
	int rc = getaddrinfo(u->host, u->port, &hints, &all), fd = -1;
	if (rc != 0) {
		why_set(why, "%s: %s", u->host, gai_strerror(rc));
		return -1;
	}
	why_set(why, "%s port %s does not answer", u->host, u->port);
	for (struct addrinfo *a = all; a && fd < 0; a = a->ai_next) {
		int err = 0;
		socklen_t len = sizeof err;
		fd = socket(a->ai_family, a->ai_socktype | SOCK_NONBLOCK | SOCK_CLOEXEC, a->ai_protocol);
		if (fd < 0)
			continue;
		if (connect(fd, a->ai_addr, a->ai_addrlen) != 0 && errno != EINPROGRESS)
			err = errno;
		else if (!ready(fd, POLLOUT, until))
			err = ETIMEDOUT;
		else
			getsockopt(fd, SOL_SOCKET, SO_ERROR, &err, &len);
		if (err) {
			why_set(why, "%s port %s: %s", u->host, u->port, strerror(err));
			close(fd);
			fd = -1;
		}
	}
	freeaddrinfo(all);
	return fd;
}

static bool
send_all(int fd, const char *at, size_t n, uint64_t until)
{
	while (n) {
		ssize_t k = write(fd, at, n);
		if (k > 0) {
			at += k;
			n -= (size_t)k;
		} else if (k < 0 && errno != EAGAIN && errno != EINTR)
			return false;
		else if (!ready(fd, POLLOUT, until))
			return false;
	}
	return true;
}

/* Reads the first line of the answer. Returns its status, or 0. */
static int
read_status(int fd, uint64_t until)
{
	char line[64] = "";
	size_t n = 0;
	while (n < 12) {
		ssize_t k = read(fd, line + n, sizeof line - 1 - n);
		if (k > 0)
			n += (size_t)k;
		else if (k == 0 || (errno != EAGAIN && errno != EINTR) || !ready(fd, POLLIN, until))
			return 0;
	}
	line[n] = '\0';
	return strncmp(line, "HTTP/1.", 7) == 0 ? atoi(line + 9) : 0;
}

bool
deliver_post(const char *url, const char *type, const char *body, size_t len, unsigned ms, struct why *why)
{
	struct alert_url u;
	struct sbuf b = {0};
	uint64_t until = mono_ms() + ms;
	if (!parse_url(url, &u, why))
		return false;
	int fd = connect_to(&u, until, why);
	if (fd < 0)
		return false;
	sb_printf(&b,
	    "POST %s HTTP/1.1\r\nHost: %s:%s\r\nUser-Agent: erltrace\r\nContent-Type: %s\r\n"
	    "Content-Length: %zu\r\nConnection: close\r\n\r\n",
	    u.path, u.host, u.port, type, len);
	sb_add(&b, body, len);
	int status = !b.failed && send_all(fd, b.at, b.len, until) ? read_status(fd, until) : 0;
	sb_free(&b);
	close(fd);
	if (status >= 200 && status < 300)
		return true;
	if (status)
		why_set(why, "%s answered with status %d", url, status);
	else
		why_set(why, "%s did not answer within %u s", url, ms / 1000);
	return false;
}

/* Writes what fits into a pipe. Closes it, *fd becomes -1, when that was all or nobody reads it. */
static void
feed(int *fd, const char **at, size_t *n)
{
	ssize_t k = 0;
	while (*n && (k = write(*fd, *at, *n)) > 0) {
		*at += k;
		*n -= (size_t)k;
	}
	if (*n && k < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	close(*fd);
	*fd = -1;
}

bool
deliver_run(char *const *argv, const char *body, size_t len, unsigned ms, const atomic_bool *ended, struct why *why)
{
	int in[2];
	pid_t pid;
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attr;
	uint64_t until = mono_ms() + ms;
	if (pipe2(in, O_CLOEXEC) != 0) {
		why_set(why, "%s: %s", argv[0], strerror(errno));
		return false;
	}
	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_adddup2(&files, in[0], STDIN_FILENO);
	posix_spawn_file_actions_adddup2(&files, STDERR_FILENO, STDOUT_FILENO);
	/* a group of its own, so that all of it can be ended */
	posix_spawnattr_init(&attr);
	posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF);
	sigset_t defaults;
	sigemptyset(&defaults);
	sigaddset(&defaults, SIGPIPE);
	posix_spawnattr_setsigdefault(&attr, &defaults);
	int err = posix_spawnp(&pid, argv[0], &files, &attr, argv, environ);
	posix_spawnattr_destroy(&attr);
	posix_spawn_file_actions_destroy(&files);
	close(in[0]);
	if (err) {
		close(in[1]);
		why_set(why, "%s: %s", argv[0], strerror(err));
		return false;
	}
	fcntl(in[1], F_SETFL, O_NONBLOCK);
	int status = 0;
	while (waitpid(pid, &status, WNOHANG) == 0) {
		if (in[1] >= 0)
			feed(&in[1], &body, &len); /* it need not read it */
		bool late = mono_ms() >= until;
		if (late || *ended) {
			kill(-pid, SIGKILL);
			waitpid(pid, &status, 0);
			if (in[1] >= 0)
				close(in[1]);
			if (late)
				why_set(why, "%s did not end within %u s and was killed", argv[0], ms / 1000);
			else
				why_set(why, "%s had not ended when tracing had, and was killed", argv[0]);
			return false;
		}
		poll(&(struct pollfd){.fd = in[1], .events = POLLOUT}, 1, 20);
	}
	if (in[1] >= 0)
		close(in[1]);
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return true;
	why_set(
	    why, "%s ended with status %d", argv[0], WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
	return false;
}
