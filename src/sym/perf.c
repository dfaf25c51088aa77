/*
 * Perf maps: /tmp/perf-PID.map, where JIT compilers write the places of their code.
 *
 * Anybody can make a file of that name for anybody's process. So a file is trusted only if the process's user or root
 * owns it; the owner is that of the opened file, not of the name. Perf maps may be large and many, and change all the
 * time. At most MAX_PERFMAP bytes of each and MAX_PERFMAPS of all are kept, and a map is not looked at more than once a
 * second.
 */
#include "base/clock.h"
#include "sym/slow.h"
#include "sym/store.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define AGAIN_NS ((uint64_t)1000000000)

/* Frees the maps that were used longest ago. Returns false if there is still not enough room. */
static bool
make_room(struct syms *s, const struct process *keep, size_t want)
{
	while (s->perf_bytes + want > MAX_PERFMAPS) {
		struct process *oldest = NULL;
		for (unsigned i = 0; i < NSLOTS; i++)
			for (struct process *p = s->slots[i]; p; p = p->next)
				if (p != keep && p->perf_bytes && (!oldest || p->perf_used < oldest->perf_used))
					oldest = p;
		if (!oldest)
			return false;
		s->perf_bytes -= oldest->perf_bytes;
		oldest->perf_bytes = 0;
		oldest->perf_size = -1;
		symtable_free(&oldest->perf);
	}
	return true;
}

static bool
is_same(const struct process *p, const struct stat *st)
{
	return st->st_size == p->perf_size && st->st_dev == p->perf_dev && st->st_ino == p->perf_ino &&
	       st->st_mtim.tv_sec == p->perf_time.tv_sec && st->st_mtim.tv_nsec == p->perf_time.tv_nsec;
}

static void
take(struct syms *s, struct process *p, int fd, const struct stat *st, const char *path, struct spending *sp)
{
	size_t len = 0;
	char *text = NULL;
	s->perf_bytes -= p->perf_bytes;
	p->perf_bytes = 0;
	symtable_free(&p->perf);
	p->perf_size = st->st_size;
	p->perf_dev = st->st_dev;
	p->perf_ino = st->st_ino;
	p->perf_time = st->st_mtim;
	if (st->st_size > MAX_PERFMAP)
		sp->over = "it is too large";
	else if (spend(sp, SPEND_BYTES, (uint64_t)st->st_size) && spend_look(sp))
		text = sym_read_fd(fd, MAX_PERFMAP, sp, &len);
	if (text && !perfmap_parse(&p->perf, text, len, sp))
		symtable_free(&p->perf);
	free(text);
	p->perf_bytes = p->perf.cap * sizeof *p->perf.rows + p->perf.room;
	s->perf_bytes += p->perf_bytes;
	if (!make_room(s, p, 0) && !sp->over)
		sp->over = "all maps together are too large";
	if (sp->over) {
		s->perf_bytes -= p->perf_bytes;
		p->perf_bytes = 0;
		symtable_free(&p->perf);
		store_note(s, path, p->pid, sp->over);
	}
}

void
store_perfmap(struct syms *s, struct process *p)
{
	char paths[2][128];
	struct stat st;
	uint64_t now = mono_ns();
	p->perf_used = ++s->clock;
	if (p->perf_looked && now - p->perf_looked < AGAIN_NS)
		return;
	p->perf_looked = now;
	store_user(p);
	snprintf(paths[0], sizeof paths[0], "/proc/%lld/root/tmp/perf-%lld.map", (long long)p->pid,
	    (long long)(p->has_user ? p->user.inner : p->pid));
	snprintf(paths[1], sizeof paths[1], "/tmp/perf-%lld.map", (long long)p->pid);
	/* The process ended before its user was known: then only our own files are trusted. */
	uid_t owner = p->has_user ? p->user.effective : geteuid();
	struct spending sp = spend_begin(store_budget(s, p));
	bool ours = false;
	for (unsigned i = 0; i < 2 && !ours; i++) {
		int fd = slow_open(&sp, paths[i], O_NOFOLLOW, &st);
		ours = fd >= 0 && (st.st_uid == 0 || st.st_uid == owner);
		if (ours && !is_same(p, &st))
			take(s, p, fd, &st, paths[i], &sp);
		if (fd >= 0)
			slow_close(&sp, fd);
	}
	spend_end(&sp);
}
