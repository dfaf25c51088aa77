/* See frame.h. */
#include "node/frame.h"

#include "node/sock.h"
#include "node/term.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

enum { STEP = 1 << 20 };

static enum received
read_all(int fd, char *at, size_t len, uint64_t deadline, const atomic_bool *stop)
{
	while (len) {
		if (!node_wait(fd, POLLIN, deadline, stop))
			return FRAME_LATE;
		ssize_t n = recv(fd, at, len, MSG_DONTWAIT);
		if (n < 0 && (errno == EINTR || errno == EAGAIN || errno == EWOULDBLOCK))
			continue;
		if (n <= 0)
			return FRAME_GONE;
		at += n;
		len -= (size_t)n;
	}
	return FRAME_MESSAGE;
}

/* The answer to a tick is a tick. */
static enum received
answer_tick(int fd, uint64_t deadline)
{
	static const char tick[4];
	for (size_t sent = 0; sent < sizeof tick;) {
		if (!node_wait(fd, POLLOUT, deadline, NULL))
			return FRAME_LATE;
		ssize_t n = send(fd, tick + sent, sizeof tick - sent, MSG_DONTWAIT | MSG_NOSIGNAL);
		if (n < 0 && errno != EINTR && errno != EAGAIN && errno != EWOULDBLOCK)
			return FRAME_GONE;
		sent += n > 0 ? (size_t)n : 0;
	}
	return FRAME_OTHER;
}

bool
frame_room(ei_x_buff *x, size_t len)
{
	if (!x->buff || (size_t)x->buffsz < len + TERM_PAD) {
		char *grown = realloc(x->buff, len + TERM_PAD);
		if (!grown)
			return false;
		x->buff = grown;
		x->buffsz = (int)(len + TERM_PAD);
	}
	memset(x->buff + len, 0, TERM_PAD);
	return true;
}

/* x->buff has `len` bytes, with TERM_PAD zeros behind. */
static enum received
parse(const ei_x_buff *x, size_t len, int *index)
{
	long kind;
	int arity, at = 2;
	if (len < 2 || x->buff[0] != ERL_PASS_THROUGH)
		return FRAME_BAD;
	size_t control = term_len_versioned(x->buff + 1, len - 1);
	if (!control || ei_decode_tuple_header(x->buff, &at, &arity) || arity < 1 ||
	    ei_decode_long(x->buff, &at, &kind))
		return FRAME_BAD;
	size_t used = 1 + control;
	if (used == len)
		return kind == ERL_SEND || kind == ERL_REG_SEND ? FRAME_BAD : FRAME_OTHER;
	if (term_len_versioned(x->buff + used, len - used) != len - used)
		return FRAME_BAD;
	*index = (int)used + 1;
	return kind == ERL_SEND || kind == ERL_REG_SEND || kind == ERL_SEND_TT || kind == ERL_REG_SEND_TT
		   ? FRAME_MESSAGE
		   : FRAME_OTHER;
}

enum received
frame_receive(int fd, ei_x_buff *x, int *index, uint64_t deadline, const atomic_bool *stop)
{
	unsigned char head[4];
	enum received got = read_all(fd, (char *)head, sizeof head, deadline, stop);
	if (got != FRAME_MESSAGE)
		return got;
	size_t len = (size_t)head[0] << 24 | (size_t)head[1] << 16 | (size_t)head[2] << 8 | head[3];
	if (!len)
		return answer_tick(fd, deadline);
	if (len > FRAME_LARGEST)
		return FRAME_BAD;
	for (size_t have = 0; have < len && got == FRAME_MESSAGE;) {
		size_t more = have > STEP ? have : STEP;
		if (more > len - have)
			more = len - have;
		if (!frame_room(x, have + more))
			return FRAME_BAD;
		got = read_all(fd, x->buff + have, more, deadline, stop);
		have += more;
	}
	if (got != FRAME_MESSAGE)
		return got;
	x->index = (int)len;
	return parse(x, len, index);
}
