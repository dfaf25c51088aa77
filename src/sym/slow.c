/* Calls that may not come back; see slow.h. */
#include "sym/slow.h"

#include "base/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

enum { PIECE = 64 << 10, STACK = 128 << 10 };
#define LOOK_NS ((int64_t)50 * 1000000) /* ns between two looks whether to end */
#define SECOND_NS ((int64_t)1000000000)

static const char too_late[] = "its file system does not answer in time";

/* A thread and its question. The thread and the asker share it; the last one frees it. */
struct helper {
	pthread_t thread;
	pthread_mutex_t lock; /* guards what follows */
	pthread_cond_t change;
	unsigned users;
	enum { IDLE, ASKED, BUSY, DONE, LEFT } state; /* LEFT: nobody waits for it any more */
	enum call { OPEN, STAT, READ, CLOSE } call;
	char *path;
	int flags, fd; /* OPEN: fd is the answer */
	size_t n;
	off_t off;
	bool takes_fuse; /* OPEN */
	bool is_open;    /* OPEN: `st` and `type` are known */
	bool to_close;   /* fd is to be closed when nobody waits any more */
	ssize_t got;
	struct stat st;
	unsigned long type; /* of the file system */
	char piece[PIECE];
};

struct slow {
	struct helper *h; /* NULL if there is none now */
	bool is_timed;    /* a file was opened that has to be read by the thread */
};

/* ---- the thread ---- */

/* The file is examined by name before it is opened, because opening could affect a device, or tell the server of a
 * file system. */
static void
do_open(struct helper *h)
{
	char self[64];
	struct statfs fs;
	int at = open(h->path, O_PATH | O_CLOEXEC | h->flags);
	h->fd = -1;
	h->is_open = at >= 0 && fstatfs(at, &fs) == 0 && fstat(at, &h->st) == 0;
	h->type = h->is_open ? (unsigned long)fs.f_type : 0;
	if (h->is_open && S_ISREG(h->st.st_mode) && (h->takes_fuse || h->type != FUSE_SUPER_MAGIC)) {
		snprintf(self, sizeof self, "/proc/self/fd/%d", at);
		h->fd = open(self, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	}
	int err = errno;
	if (at >= 0)
		close(at);
	errno = err;
}

static void
do_call(struct helper *h)
{
	switch (h->call) {
	case OPEN:
		do_open(h);
		break;
	case STAT:
		h->got = fstat(h->fd, &h->st);
		break;
	case READ:
		h->got = pread(h->fd, h->piece, h->n, h->off);
		break;
	case CLOSE:
		close(h->fd);
		break;
	}
}

/* The lock is held. */
static void
leave(struct helper *h)
{
	bool last = --h->users == 0;
	pthread_mutex_unlock(&h->lock);
	if (!last)
		return;
	pthread_mutex_destroy(&h->lock);
	pthread_cond_destroy(&h->change);
	free(h->path);
	free(h);
}

static void *
run(void *arg)
{
	struct helper *h = arg;
	pthread_mutex_lock(&h->lock);
	for (;;) {
		while (h->state != ASKED && h->state != LEFT)
			pthread_cond_wait(&h->change, &h->lock);
		if (h->state == LEFT)
			break;
		h->state = BUSY;
		h->to_close = false;
		pthread_mutex_unlock(&h->lock);
		do_call(h);
		int err = errno;
		pthread_mutex_lock(&h->lock);
		h->to_close = h->call == OPEN && h->fd >= 0;
		if (h->state == LEFT)
			break;
		h->flags = err; /* the asker's */
		h->state = DONE;
		pthread_cond_broadcast(&h->change);
	}
	int last = h->to_close ? h->fd : -1;
	leave(h);
	if (last >= 0)
		close(last);
	return NULL;
}

static struct helper *
helper_new(void)
{
	pthread_attr_t attr;
	pthread_condattr_t clock;
	sigset_t all, before;
	struct helper *h = calloc(1, sizeof *h);
	if (!h)
		return NULL;
	h->users = 2;
	pthread_mutex_init(&h->lock, NULL);
	pthread_condattr_init(&clock);
	pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
	pthread_cond_init(&h->change, &clock);
	pthread_condattr_destroy(&clock);
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, STACK);
	/* Signals are for the program's own threads. */
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &before);
	int err = pthread_create(&h->thread, &attr, run, h);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	pthread_attr_destroy(&attr);
	if (err == 0)
		return h;
	h->users = 1;
	pthread_mutex_lock(&h->lock);
	leave(h);
	return NULL;
}

/* ---- who asks ---- */

struct slow *
slow_new(void)
{
	return calloc(1, sizeof(struct slow));
}

/* Leaves a thread alone that is in a call. A thread that is not in a call has ended when this returns. */
static void
give_up(struct slow *s)
{
	struct helper *h = s->h;
	s->h = NULL;
	if (!h)
		return;
	pthread_mutex_lock(&h->lock);
	pthread_t thread = h->thread;
	bool is_idle = h->state == IDLE;
	h->state = LEFT;
	pthread_cond_broadcast(&h->change);
	leave(h);
	if (is_idle)
		pthread_join(thread, NULL);
	else
		pthread_detach(thread);
}

void
slow_free(struct slow *s)
{
	if (!s)
		return;
	give_up(s);
	free(s);
}

static int64_t
now(void)
{
	return (int64_t)mono_ns();
}

/* Returns the thread, idle and with its lock held. Returns NULL if there is none, and no time or no memory for one. */
static struct helper *
begin(struct spending *sp, enum call call)
{
	struct slow *s = sp->b->slow;
	for (const struct budget *b = sp->b; b && call != CLOSE; b = b->all)
		if (b->wait <= 0 && !sp->over)
			sp->over = too_late;
	if (sp->over && call != CLOSE)
		return NULL;
	if (!s->h && !(s->h = helper_new())) {
		if (!sp->over)
			sp->over = "no thread could be started to read it";
		return NULL;
	}
	pthread_mutex_lock(&s->h->lock);
	s->h->call = call;
	return s->h;
}

/* Has the thread make the call. Returns true if it was made in time; the lock is still held then. After one late
 * call there is no more time, unless the process was asked for. */
static bool
finish(struct spending *sp, struct helper *h)
{
	int64_t from = now(), most = sp->b->call_wait, took = 0;
	for (const struct budget *b = sp->b; b; b = b->all)
		if (b->wait < most)
			most = b->wait;
	h->state = ASKED;
	pthread_cond_broadcast(&h->change);
	while (h->state != DONE && took < most && !spend_stopped(sp)) {
		int64_t at = from + (took + LOOK_NS < most ? took + LOOK_NS : most);
		pthread_cond_timedwait(&h->change, &h->lock, &(struct timespec){at / SECOND_NS, at % SECOND_NS});
		took = now() - from;
	}
	for (struct budget *b = sp->b; b; b = b->all)
		b->wait -= took;
	if (h->state == DONE) {
		h->state = IDLE;
		h->to_close = false;
		errno = h->flags;
		return true;
	}
	pthread_mutex_unlock(&h->lock);
	give_up(sp->b->slow);
	if (!sp->b->takes_fuse)
		sp->b->wait = 0;
	if (!sp->over)
		sp->over = spend_stopped(sp) ? "looking was ended" : too_late;
	errno = ETIMEDOUT;
	return false;
}

/* Returns whether files come from a disk or from memory. */
static bool
is_local(unsigned long type)
{
	static const unsigned long types[] = {EXT4_SUPER_MAGIC, XFS_SUPER_MAGIC, BTRFS_SUPER_MAGIC, TMPFS_MAGIC,
	    RAMFS_MAGIC, HUGETLBFS_MAGIC, SQUASHFS_MAGIC, F2FS_SUPER_MAGIC, ISOFS_SUPER_MAGIC, MSDOS_SUPER_MAGIC,
	    0xe0f5e1e2 /* erofs */, 0x2fc12fc1 /* zfs */, 0xca451a4e /* bcachefs */};
	for (unsigned i = 0; i < sizeof types / sizeof *types; i++)
		if (types[i] == type)
			return true;
	return false;
}

static bool
is_plain(const struct spending *sp)
{
	return !sp || !sp->b || !sp->b->slow;
}

int
slow_open(struct spending *sp, const char *path, int flags, struct stat *st)
{
	if (is_plain(sp)) {
		int at = open(path, O_PATH | O_CLOEXEC | flags), fd = -1;
		char self[64];
		if (at < 0)
			return -1;
		snprintf(self, sizeof self, "/proc/self/fd/%d", at);
		if (fstat(at, st) == 0 && S_ISREG(st->st_mode))
			fd = open(self, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
		close(at);
		return fd;
	}
	struct helper *h = begin(sp, OPEN);
	if (!h)
		return -1;
	free(h->path);
	h->path = strdup(path);
	h->flags = flags;
	h->takes_fuse = sp->b->takes_fuse;
	if (!h->path) {
		pthread_mutex_unlock(&h->lock);
		return -1;
	}
	if (!finish(sp, h))
		return -1;
	int fd = h->fd, err = errno;
	*st = h->st;
	sp->is_served |= h->is_open && fd < 0 && h->type == FUSE_SUPER_MAGIC;
	sp->b->slow->is_timed |= fd >= 0 && !is_local(h->type);
	pthread_mutex_unlock(&h->lock);
	errno = err;
	return fd;
}

static bool
is_timed(const struct spending *sp)
{
	return !is_plain(sp) && sp->b->slow->is_timed;
}

bool
slow_stat(struct spending *sp, int fd, struct stat *st)
{
	if (!is_timed(sp))
		return fstat(fd, st) == 0;
	struct helper *h = begin(sp, STAT);
	if (!h)
		return false;
	h->fd = fd;
	if (!finish(sp, h))
		return false;
	*st = h->st;
	bool ok = h->got == 0;
	pthread_mutex_unlock(&h->lock);
	return ok;
}

ssize_t
slow_pread(struct spending *sp, int fd, void *to, size_t n, off_t off)
{
	if (!is_timed(sp))
		return pread(fd, to, n, off);
	struct helper *h = begin(sp, READ);
	if (!h)
		return -1;
	h->fd = fd;
	h->n = n < PIECE ? n : PIECE;
	h->off = off;
	if (!finish(sp, h))
		return -1;
	ssize_t got = h->got;
	int err = errno;
	if (got > 0)
		memcpy(to, h->piece, (size_t)got);
	pthread_mutex_unlock(&h->lock);
	errno = err;
	return got;
}

void
slow_close(struct spending *sp, int fd)
{
	if (!is_timed(sp)) {
		close(fd);
		return;
	}
	struct helper *h = begin(sp, CLOSE);
	if (!h)
		return; /* no memory for a thread: better to leave the file open than to wait without end */
	h->fd = fd;
	h->to_close = true;
	if (finish(sp, h))
		pthread_mutex_unlock(&h->lock);
}
