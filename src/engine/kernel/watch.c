/*
 * Which code processes map, while tracing goes on.
 *
 * Addresses get their names when they are shown, and by then the process has often ended. The kernel reports every
 * mapping with code, fork, exec and exit through perf events that count nothing. A thread takes them from the buffers
 * of the CPUs and keeps struct syms up to date. It also tells whoever waits for a library to be loaded.
 *
 * Each CPU has its own buffer. Events are ordered by their times, and the latest ones wait for the next turn, because
 * another CPU may have an older one. kern_watch_flush() takes all that there are.
 */
#include "base/clock.h"
#include "engine/kernel/kern.h"
#include "engine/kernel/kernel.h"
#include "sym/syms.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>

/* With the page of control, a ring is as large as perf_event_mlock_kb allows for each CPU: when many processes start at
 * once on a busy machine, the thread comes late. */
enum { RING_PAGES = 128, MAX_EVENT = 4352, WAIT_MS = 5, MAX_PENDING = 100000 };
#define SLACK_NS 2000000 /* the most time from an event until it is in the buffer */

struct ring {
	int fd;
	char *at; /* mapped: a page of control, then RING_PAGES */
};

struct watch_event {
	uint64_t time, seq;
	uint32_t type;
	bool exec;
	int64_t pid, parent;
	struct sym_map map;
	char path[]; /* of a mapping */
};

struct kern_watch {
	struct syms *syms;
	struct ring *rings;
	unsigned nrings;
	size_t page;
	pthread_t thread;
	int wake; /* eventfd: the end */
	pthread_mutex_t lock;
	struct watch_event **pending;
	size_t n, cap;
	uint64_t seq;
	void (*mapped)(void *arg, int64_t pid, const struct sym_map *m);
	void *arg;
};

/* ---- the buffers ---- */

static bool
ring_open(struct kern_watch *w, struct ring *r, int cpu)
{
	struct perf_event_attr a = {.type = PERF_TYPE_SOFTWARE,
	    .size = sizeof a,
	    .config = PERF_COUNT_SW_DUMMY,
	    .sample_type = PERF_SAMPLE_TIME,
	    .sample_id_all = 1,
	    .exclude_kernel = 1,
	    .mmap = 1,
	    .mmap2 = 1,
	    .comm = 1,
	    .comm_exec = 1,
	    .task = 1,
	    .watermark = 1,
	    .wakeup_watermark = 1,
	    .use_clockid = 1,
	    .clockid = CLOCK_MONOTONIC};
	r->fd = (int)syscall(SYS_perf_event_open, &a, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);
	if (r->fd < 0)
		return false;
	void *at = mmap(NULL, (1 + RING_PAGES) * w->page, PROT_READ | PROT_WRITE, MAP_SHARED, r->fd, 0);
	if (at == MAP_FAILED) {
		close(r->fd);
		return false;
	}
	r->at = at;
	return true;
}

static void
copy_out(const struct kern_watch *w, const struct ring *r, uint64_t from, void *to, size_t n)
{
	size_t size = RING_PAGES * w->page, off = (size_t)(from & (size - 1));
	size_t first = size - off < n ? size - off : n;
	memcpy(to, r->at + w->page + off, first);
	memcpy((char *)to + first, r->at + w->page, n - first);
}

static void
keep(struct kern_watch *w, const struct watch_event *e, const char *path, size_t len)
{
	if (w->n == w->cap) {
		size_t cap = w->cap ? w->cap * 2 : 64;
		struct watch_event **p = cap <= MAX_PENDING ? realloc(w->pending, cap * sizeof *p) : NULL;
		if (!p)
			return;
		w->pending = p;
		w->cap = cap;
	}
	struct watch_event *to = malloc(sizeof *to + len + 1);
	if (!to)
		return;
	*to = *e;
	to->seq = w->seq++;
	if (len)
		memcpy(to->path, path, len);
	to->path[len] = '\0';
	to->map.path = to->path;
	w->pending[w->n++] = to;
}

/* One record as linux/perf_event.h lays it out; its time is at its end. */
static void
take(struct kern_watch *w, const char *rec, size_t size)
{
	struct perf_event_header h;
	struct watch_event e = {0};
	uint32_t ids[2];
	if (size < sizeof h + 16)
		return;
	memcpy(&h, rec, sizeof h);
	memcpy(ids, rec + sizeof h, sizeof ids);
	memcpy(&e.time, rec + size - 8, 8);
	e.type = h.type;
	e.pid = (int32_t)ids[0];
	switch (h.type) {
	case PERF_RECORD_MMAP2: {
		struct {
			uint32_t pid, tid;
			uint64_t addr, len, pgoff;
			uint32_t maj, min;
			uint64_t ino, generation;
			uint32_t prot, flags;
		} m;
		if (size < sizeof h + sizeof m + 8)
			return;
		memcpy(&m, rec + sizeof h, sizeof m);
		const char *path = rec + sizeof h + sizeof m;
		e.map = (struct sym_map){
		    .start = m.addr, .end = m.addr + m.len, .off = m.pgoff, .dev = makedev(m.maj, m.min), .ino = m.ino};
		keep(w, &e, path, strnlen(path, size - 8 - sizeof h - sizeof m));
		break;
	}
	case PERF_RECORD_COMM:
		if (h.misc & PERF_RECORD_MISC_COMM_EXEC)
			keep(w, &e, NULL, 0);
		break;
	case PERF_RECORD_FORK: /* pid, parent, tid, … */
		e.parent = (int32_t)ids[1];
		keep(w, &e, NULL, 0);
		break;
	case PERF_RECORD_EXIT: {
		uint32_t tid;
		memcpy(&tid, rec + sizeof h + 8, sizeof tid);
		if (tid == ids[0]) /* its first thread ended; others may go on, but that misleads nobody */
			keep(w, &e, NULL, 0);
		break;
	}
	default:
		break;
	}
}

static void
read_ring(struct kern_watch *w, struct ring *r)
{
	struct perf_event_mmap_page *page = (struct perf_event_mmap_page *)(void *)r->at;
	uint64_t head = __atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE), tail = page->data_tail;
	char rec[MAX_EVENT];
	while (tail + sizeof(struct perf_event_header) <= head) {
		struct perf_event_header h;
		copy_out(w, r, tail, &h, sizeof h);
		if (h.size < sizeof h || tail + h.size > head)
			break;
		if (h.size <= sizeof rec) {
			copy_out(w, r, tail, rec, h.size);
			take(w, rec, h.size);
		}
		tail += h.size;
	}
	__atomic_store_n(&page->data_tail, head, __ATOMIC_RELEASE);
}

/* ---- events in order ---- */

static int
by_time(const void *a, const void *b)
{
	const struct watch_event *x = *(struct watch_event *const *)a, *y = *(struct watch_event *const *)b;
	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return (x->seq > y->seq) - (x->seq < y->seq);
}

static void
apply(struct kern_watch *w, const struct watch_event *e)
{
	switch (e->type) {
	case PERF_RECORD_MMAP2:
		syms_mapped(w->syms, e->pid, &e->map);
		if (w->mapped)
			w->mapped(w->arg, e->pid, &e->map);
		break;
	case PERF_RECORD_COMM:
		syms_execed(w->syms, e->pid);
		break;
	case PERF_RECORD_FORK:
		syms_forked(w->syms, e->pid, e->parent);
		break;
	default:
		syms_exited(w->syms, e->pid);
		break;
	}
}

/* Takes all events up to a time; the lock is held. */
static void
turn(struct kern_watch *w, uint64_t until)
{
	for (unsigned i = 0; i < w->nrings; i++)
		read_ring(w, &w->rings[i]);
	if (w->n > 1)
		qsort(w->pending, w->n, sizeof(struct watch_event *), by_time);
	size_t done = 0;
	while (done < w->n && w->pending[done]->time <= until) {
		apply(w, w->pending[done]);
		free(w->pending[done++]);
	}
	if (done)
		memmove(w->pending, w->pending + done, (w->n - done) * sizeof(struct watch_event *));
	w->n -= done;
}

void
kern_watch_flush(struct kern_watch *w)
{
	if (!w)
		return;
	pthread_mutex_lock(&w->lock);
	turn(w, UINT64_MAX);
	pthread_mutex_unlock(&w->lock);
}

static void *
work(void *arg)
{
	struct kern_watch *w = arg;
	prctl(PR_SET_NAME, "et-watch");
	struct pollfd *fds = calloc(w->nrings + 1, sizeof *fds);
	if (!fds)
		return NULL;
	for (unsigned i = 0; i < w->nrings; i++)
		fds[i] = (struct pollfd){.fd = w->rings[i].fd, .events = POLLIN};
	fds[w->nrings] = (struct pollfd){.fd = w->wake, .events = POLLIN};
	/* Processes that already run. */
	syms_catch_all(w->syms);
	for (bool waiting = false; !fds[w->nrings].revents;) {
		poll(fds, w->nrings + 1, waiting ? WAIT_MS : -1);
		pthread_mutex_lock(&w->lock);
		/* A CPU that was taken offline has nothing more to report. */
		for (unsigned i = 0; i < w->nrings; i++)
			if (fds[i].revents & (POLLERR | POLLHUP | POLLNVAL))
				fds[i].fd = -1;
		turn(w, mono_ns() - SLACK_NS);
		waiting = w->n > 0;
		pthread_mutex_unlock(&w->lock);
	}
	free(fds);
	return NULL;
}

/* ---- life ---- */

void
kern_watch_stop(struct kern_watch *w)
{
	uint64_t one = 1;
	if (!w)
		return;
	if (w->thread) {
		if (write(w->wake, &one, sizeof one) == sizeof one)
			pthread_join(w->thread, NULL);
		turn(w, UINT64_MAX);
	}
	for (unsigned i = 0; i < w->nrings; i++) {
		munmap(w->rings[i].at, (1 + RING_PAGES) * w->page);
		close(w->rings[i].fd);
	}
	if (w->wake >= 0)
		close(w->wake);
	pthread_mutex_destroy(&w->lock);
	free(w->pending);
	free(w->rings);
	free(w);
}

struct kern_watch *
kern_watch_start(struct syms *s, void (*mapped)(void *arg, int64_t pid, const struct sym_map *m), void *arg)
{
	long cpus = sysconf(_SC_NPROCESSORS_CONF);
	struct kern_watch *w = calloc(1, sizeof *w);
	struct ring *rings = calloc(cpus > 0 ? (size_t)cpus : 1, sizeof *rings);
	if (!w || !rings) {
		free(w);
		free(rings);
		return NULL;
	}
	w->rings = rings;
	w->syms = s;
	w->mapped = mapped;
	w->arg = arg;
	w->page = (size_t)sysconf(_SC_PAGESIZE);
	w->wake = eventfd(0, EFD_CLOEXEC);
	pthread_mutex_init(&w->lock, NULL);
	for (int cpu = 0; cpu < cpus; cpu++)
		w->nrings += ring_open(w, &w->rings[w->nrings], cpu);
	if (w->wake < 0 || !w->nrings) {
		kern_watch_stop(w);
		return NULL;
	}
	sigset_t all, before;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	pthread_t t;
	int err = pthread_create(&t, NULL, work, w);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (err) {
		kern_watch_stop(w);
		return NULL;
	}
	w->thread = t;
	return w;
}
