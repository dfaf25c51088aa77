/*
 * Output that nobody reads at the moment (`| less`). Waiting for room must neither look like the end of us to a node,
 * which ends tracing when it hears nothing for 30 s, nor keep a signal from ending the command. So what can block is
 * written in pieces that a pipe takes at once, each when there is room for it; while there is none, the engine hears
 * from us.
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
	TOLD_MS = 5000,  /* a wait that is worth telling of */
	GRACE_MS = 5000, /* for whoever reads, when tracing is to end */
};
#endif
enum { LOOK_MS = 200 };

/* Until there is room. *waited: ms. False: the command is to end and nobody reads. */
static bool
wait_for_room(struct consumer *c, int fd, uint64_t *waited)
{
	struct pollfd p = {.fd = fd, .events = POLLOUT};
	uint64_t from = mono_ms(), alive = from, ending = 0;
	/* an error shows when it is written to */
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
