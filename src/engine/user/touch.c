/* See touch.h. */
#include "engine/user/touch.h"

#include "engine/user/user.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23 /* from Linux 5.14 on */
#endif

enum { AT_ONCE = 4 << 20 };

/* Touches the pages of [at, at + len) without changing them. */
static bool
touch(char *at, size_t len, size_t page)
{
	if (madvise(at, len, MADV_POPULATE_WRITE) == 0)
		return true;
	if (errno == ENOMEM || errno == EFAULT)
		return false;
	for (size_t i = 0; i < len; i += page)
		__atomic_fetch_or(at + i, 0, __ATOMIC_RELAXED);
	return true;
}

enum having { HAD, GIVEN_UP, NOT_SO };

/* Returns NOT_SO if the system cannot do that. Pages of a file can be reserved without being mapped or zeroed, which
 * is most of the cost of touching. The first user of a page does that, and cannot fail. */
static enum having
have_pages(const struct store *s, bool (*ends)(void *arg), void *arg)
{
	for (size_t at = 0; at < s->size;) {
		size_t len = s->size - at < AT_ONCE ? s->size - at : AT_ONCE;
		if (ends(arg))
			return GIVEN_UP;
		if (fallocate(s->fd, 0, (off_t)at, (off_t)len) == 0)
			at += len;
		else if (errno == ENOSPC || errno == ENOMEM)
			return GIVEN_UP;
		else if (errno != EINTR)
			return NOT_SO;
	}
	return HAD;
}

bool
eng_touch(struct engine *engine, bool (*ends)(void *arg), void *arg)
{
	struct user_engine *e = user_of(engine);
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	enum having had = e->store.fd >= 0 ? have_pages(&e->store, ends, arg) : NOT_SO;
	if (had != NOT_SO)
		return had == HAD;
	/* whole pages: the memory around the store is ours too */
	char *at = (char *)((uintptr_t)e->store.at & ~(uintptr_t)(page - 1));
	char *end = (char *)(((uintptr_t)e->store.at + e->store.size + page - 1) & ~(uintptr_t)(page - 1));
	while (at < end) {
		size_t len = (size_t)(end - at) < AT_ONCE ? (size_t)(end - at) : AT_ONCE;
		if (ends(arg) || !touch(at, len, page))
			return false;
		at += len;
	}
	return true;
}
