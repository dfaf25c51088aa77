/*
 * Output that nobody reads at the moment (`| less`). While it waits for room, a node must not think that we are gone
 * (it ends tracing after 30 s of silence), and a signal must still end the command. So output that can block is written
 * in pieces that a pipe takes at once, each when there is room for it. While there is none, the engine hears from us.
 */
#include "consume/consume.h"

#include "base/clock.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#ifdef ET_TINY
enum { ALIVE_MS = 100, TOLD_MS = 1000, GRACE_MS = 1000 };
#else
enum {
	ALIVE_MS = 5000, /* how often the engine hears from us */
	TOLD_MS = 5000,  /* a wait that is worth reporting */
	GRACE_MS = 5000, /* time for the reader when tracing must end */
};
#endif
enum { LOOK_MS = 200 };

/* Waits until there is room. *waited is in ms. Returns false if the command must end and nobody reads. */
static bool
wait_for_room(struct consumer *c, int fd, uint64_t *waited)
{
	struct pollfd p = {.fd = fd, .events = POLLOUT};
	uint64_t from = mono_ms(), alive = from, ending = 0;
	/* an error shows up in the write */
	while (poll(&p, 1, LOOK_MS) <= 0) {
		uint64_t now = mono_ms();
		if (c->ops && c->ops->alive && now - alive >= ALIVE_MS) {
			c->ops->alive(c->e);
			alive = now;
		}
		if (!ending && c->interrupted && atomic_load(c->interrupted))
			ending = now;
		if (ending && now - ending >= GRACE_MS)
			return false;
	}
	*waited += mono_ms() - from;
	return true;
}

int
cs_put(struct consumer *c, FILE *fp, const char *bytes, size_t n)
{
	int fd = fileno(fp);
	uint64_t waited = 0;
	if (fd < 0)
		return fwrite(bytes, 1, n, fp) == n ? 0 : cs_fail(c, ET_EWRITE, "%s", strerror(errno));
	if (fflush(fp) != 0)
		return cs_fail(c, ET_EWRITE, "%s", strerror(errno));
	while (n) {
		if (!wait_for_room(c, fd, &waited))
			return cs_fail(
			    c, ET_EWRITE, "output was blocked: nobody has read it, and what is left of it is lost");
		ssize_t done = write(fd, bytes, n < PIPE_BUF ? n : PIPE_BUF);
		if (done < 0 && errno != EINTR && errno != EAGAIN)
			return cs_fail(c, ET_EWRITE, "%s", strerror(errno));
		if (done > 0) {
			bytes += done;
			n -= (size_t)done;
		}
	}
	return waited >= TOLD_MS ? cs_blocked(c, waited) : 0;
}
