/* See sock.h. */
#include "node/sock.h"

#include "base/clock.h"
#include "node/frame.h"
#include "node/ns.h"
#include "node/tunnel.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

enum { HEADER = 2, TLS_HEADER = 4 }; /* bytes of the length before each part of the handshake */

static int
wait_or_error(const struct node_sock *s, short events, unsigned ms)
{
	uint64_t deadline = ms == EI_SCLBK_INF_TMO ? UINT64_MAX : mono_ms() + ms;
	if (node_wait(s->fd, events, deadline, s->stop))
		return 0;
	return s->stop && atomic_load(s->stop) ? ECANCELED : ETIMEDOUT;
}

static bool
is_later(int err)
{
	return err == EAGAIN || err == EWOULDBLOCK || err == EINTR;
}

static int
sock_open(void **ctx, void *setup)
{
	struct node_sock *s = setup;
	s->is_reached = false;
	s->fd =
	    s->tunnel ? socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0) : ns_socket(s->net, s->ends[0].any.sa_family, 0);
	*ctx = s;
	return s->fd < 0 ? errno : 0;
}

static int
sock_close(void *ctx)
{
	struct node_sock *s = ctx;
	int err = s->fd >= 0 && close(s->fd) != 0 ? errno : 0;
	s->fd = -1;
	return err;
}

/* Nobody connects to us. */
static int
sock_listen(void *ctx, void *addr, int *len, int backlog)
{
	(void)ctx;
	(void)addr;
	(void)len;
	(void)backlog;
	return ENOTSUP;
}

static int
sock_accept(void **ctx, void *addr, int *len, unsigned ms)
{
	(void)ctx;
	(void)addr;
	(void)len;
	(void)ms;
	return ENOTSUP;
}

static int
set_blocking(int fd, bool blocks)
{
	int off = !blocks;
	return ioctl(fd, FIONBIO, &off) == 0 ? 0 : errno;
}

/* Puts a new socket in the place of the one that has failed: ei may know its number. */
static int
renew(const struct node_sock *s, int family)
{
	int fd = s->tunnel ? socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0) : ns_socket(s->net, family, 0);
	int err = fd < 0 || dup3(fd, s->fd, O_CLOEXEC) < 0 ? errno : 0;
	if (fd >= 0)
		close(fd);
	return err;
}

static int
connect_end(struct node_sock *s, const union node_end *end, unsigned ms)
{
	if (s->tunnel)
		return tunnel_connect(s->tunnel, s->fd, s->net, end, s->host,
		    ms == EI_SCLBK_INF_TMO ? UINT64_MAX : mono_ms() + ms, s->stop, s->text, sizeof s->text);
	int err = set_blocking(s->fd, false);
	socklen_t size = sizeof err;
	if (err == 0 && connect(s->fd, &end->any, end_size(end)) != 0)
		err = errno;
	if (err == EINPROGRESS && (err = wait_or_error(s, POLLOUT, ms)) == 0 &&
	    getsockopt(s->fd, SOL_SOCKET, SO_ERROR, &err, &size) != 0)
		err = errno;
	return err ? err : set_blocking(s->fd, true);
}

/* The address is ours to know: s->ends. */
static int
sock_connect(void *ctx, void *addr, int len, unsigned ms)
{
	struct node_sock *s = ctx;
	uint64_t deadline = ms == EI_SCLBK_INF_TMO ? UINT64_MAX : mono_ms() + ms;
	int err = EHOSTUNREACH;
	(void)addr;
	(void)len;
	for (unsigned i = 0; i < s->nends && !s->is_reached && err != ECANCELED && err != EPROTO; i++) {
		uint64_t now = mono_ms(), left = deadline > now ? deadline - now : 0;
		bool is_last = i + 1 == s->nends;
		if (i && renew(s, s->tunnel ? AF_UNIX : s->ends[i].any.sa_family) != 0)
			continue;
		err = connect_end(s, &s->ends[i], deadline == UINT64_MAX ? ms : (unsigned)(is_last ? left : left / 2));
		s->is_reached = err == 0;
	}
	return err;
}

static int
sock_writev(void *ctx, const void *iov, int n, ssize_t *len, unsigned ms)
{
	const struct node_sock *s = ctx;
	for (;;) {
		int err = wait_or_error(s, POLLOUT, ms);
		struct msghdr m = {.msg_iov = (struct iovec *)(uintptr_t)iov, .msg_iovlen = (size_t)n};
		if (err)
			return err;
		*len = sendmsg(s->fd, &m, MSG_DONTWAIT | MSG_NOSIGNAL);
		if (*len >= 0)
			return 0;
		if (!is_later(errno))
			return errno;
	}
}

static int
sock_write(void *ctx, const char *buf, ssize_t *len, unsigned ms)
{
	struct iovec v = {.iov_base = (char *)(uintptr_t)buf, .iov_len = (size_t)*len};
	return sock_writev(ctx, &v, 1, len, ms);
}

static int
sock_read(void *ctx, char *buf, ssize_t *len, unsigned ms)
{
	const struct node_sock *s = ctx;
	for (size_t n = (size_t)*len;;) {
		int err = wait_or_error(s, POLLIN, ms);
		if (err)
			return err;
		*len = recv(s->fd, buf, n, MSG_DONTWAIT);
		if (*len >= 0)
			return 0;
		if (!is_later(errno))
			return errno;
	}
}

static int
header_size(void *ctx, int *size)
{
	*size = ((const struct node_sock *)ctx)->tunnel ? TLS_HEADER : HEADER;
	return 0;
}

static int
complete(void *ctx)
{
	const struct node_sock *s = ctx;
	int on = 1;
	setsockopt(s->fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
	setsockopt(s->fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
	return 0;
}

static int
get_fd(void *ctx, int *fd)
{
	*fd = ((const struct node_sock *)ctx)->fd;
	return 0;
}

ei_socket_callbacks node_sock_callbacks = {.flags = EI_SCLBK_FLG_FULL_IMPL,
    .socket = sock_open,
    .close = sock_close,
    .listen = sock_listen,
    .EI_ACCEPT_NAME = sock_accept,
    .connect = sock_connect,
    .writev = sock_writev,
    .write = sock_write,
    .read = sock_read,
    .handshake_packet_header_size = header_size,
    .connect_handshake_complete = complete,
    .accept_handshake_complete = complete,
    .get_fd = get_fd};
