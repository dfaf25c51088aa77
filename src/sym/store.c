/* What is known of processes, within limits; see store.h. */
#include "sym/store.h"

#include "base/clock.h"
#include "base/hash.h"
#include "sym/slow.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_TOLD = 10 };
#define NOBODY ((uid_t)-1) /* the user of a process that has ended is unknown */
#define MAX_SYMBOL_BYTES ((size_t)512 << 20)
#define BUDGET_NS ((uint64_t)60 * 1000000000u) /* a user's budget lasts this long */

/* ---- what may be spent ---- */

/* Stacks lead to these symbols, and that may be somebody's browser with all its symbols. */
static struct budget
fresh_budget(bool is_trusted)
{
	struct budget b = budget_large();
	if (is_trusted)
		return b;
	b.file[SPEND_BYTES] = 256u << 20;
	b.file[SPEND_SYMS] = 4u << 20;
	b.left[SPEND_BYTES] = (uint64_t)1 << 30;
	b.left[SPEND_SYMS] = 16u << 20;
	b.file[SPEND_SECTIONS] = 100000;
	b.file_cpu = (int64_t)2000000000;
	b.cpu = (int64_t)4000000000;
	b.wait = (int64_t)3000000000;
	b.call_wait = (int64_t)1000000000;
	b.takes_fuse = false;
	return b;
}

struct budget *
store_budget(struct syms *s, struct process *p)
{
	store_user(p);
	bool is_trusted = p->is_named || (p->has_user && proc_is_trusted(&p->user));
	uid_t uid = p->is_named ? 0 : p->has_user ? p->user.real : NOBODY;
	struct symuser *u = NULL;
	for (unsigned i = 0; i < s->nusers && !u; i++)
		if ((s->users[i].uid == uid && s->users[i].is_trusted == is_trusted) || i == MAX_USERS - 1)
			u = &s->users[i];
	uint64_t now = mono_ns();
	if (u && now - u->since < BUDGET_NS)
		return &u->budget;
	if (!u)
		u = &s->users[s->nusers++];
	*u = (struct symuser){uid, is_trusted, now, fresh_budget(is_trusted)};
	if (!s->slow)
		s->slow = slow_new();
	u->budget.slow = s->slow;
	return &u->budget;
}

void
store_note(struct syms *s, const char *what, int64_t pid, const char *why)
{
	char text[512];
	if (!s->note || s->nnotes > MAX_TOLD)
		return;
	if (s->nnotes++ == MAX_TOLD)
		snprintf(text, sizeof text, "left out more symbols of other users' processes");
	else
		snprintf(
		    text, sizeof text, "left out the symbols of %.300s, process %lld: %s", what, (long long)pid, why);
	s->note(s->notearg, text);
}

/* ---- objects ---- */

static struct object **
object_slot(struct syms *s, uint64_t dev, uint64_t ino)
{
	uint64_t key[2] = {dev, ino};
	return &s->objects[hash_bytes(key, sizeof key) % NSLOTS];
}

static void
object_free(struct syms *s, struct object **at)
{
	struct object *o = *at;
	*at = o->next;
	s->bytes -= o->bytes;
	s->nobjects--;
	elf_free(&o->elf);
	free(o->path);
	free(o);
}

static void
sweep(struct syms *s)
{
	for (unsigned i = 0; i < NSLOTS; i++)
		for (struct object **at = &s->objects[i]; *at;)
			if ((*at)->nmaps == 0)
				object_free(s, at);
			else
				at = &(*at)->next;
}

void
store_make_room(struct syms *s, const struct object *keep)
{
	while (s->bytes > MAX_SYMBOL_BYTES) {
		struct object *oldest = NULL;
		for (unsigned i = 0; i < NSLOTS; i++)
			for (struct object *o = s->objects[i]; o; o = o->next)
				if (o != keep && o->state == READ && o->bytes && (!oldest || o->used < oldest->used))
					oldest = o;
		if (!oldest)
			return;
		elf_free(&oldest->elf);
		s->bytes -= oldest->bytes;
		oldest->bytes = 0;
		oldest->state = UNREAD;
	}
}

/* ---- making room ---- */

static void
process_free(struct syms *s, struct process *p)
{
	store_unmap_all(s, p);
	s->nmaps -= p->cap;
	s->perf_bytes -= p->perf_bytes;
	symtable_free(&p->perf);
	jit_free(&p->vm);
	free(p->maps);
	free(p);
}

static bool
drop_oldest(struct syms *s)
{
	struct process **oldest = NULL;
	for (unsigned i = 0; i < NSLOTS; i++)
		for (struct process **at = &s->slots[i]; *at; at = &(*at)->next)
			if ((*at)->gone && (!oldest || (*at)->gone_at < (*oldest)->gone_at))
				oldest = at;
	if (!oldest)
		return false;
	struct process *p = *oldest;
	*oldest = p->next;
	process_free(s, p);
	s->ngone--;
	return true;
}

/* Returns the largest process of the user with the most mappings. */
static struct process *
largest(struct syms *s, const struct process *keep)
{
	struct {
		uid_t uid;
		unsigned n;
		struct process *p;
	} users[MAX_USERS];
	unsigned n = 0, most = 0;
	for (unsigned i = 0; i < NSLOTS; i++)
		for (struct process *p = s->slots[i]; p; p = p->next) {
			if (p->is_taken || p->is_named || !p->cap)
				continue;
			store_user(p);
			uid_t uid = p->has_user ? p->user.real : NOBODY;
			unsigned u = 0;
			while (u < n && users[u].uid != uid && u < MAX_USERS - 1)
				u++;
			if (u == n) {
				users[n].uid = uid;
				users[n].n = 0;
				users[n++].p = NULL;
			}
			users[u].n += p->n;
			if (p != keep && (!users[u].p || p->n > users[u].p->n))
				users[u].p = p;
		}
	for (unsigned u = 1; u < n; u++)
		if (users[u].n > users[most].n)
			most = u;
	return n ? users[most].p : NULL;
}

/* Frees room, taking from whoever used the most. `keep` is in use. */
static void
take_back(struct syms *s, struct process *keep)
{
	unsigned before = s->nobjects;
	sweep(s);
	if (s->nobjects < before && s->nmaps < MAX_ALL_MAPS)
		return;
	bool any = false;
	for (unsigned i = 0; i < 64 && drop_oldest(s); i++)
		any = true;
	struct process *p = any ? NULL : largest(s, keep);
	if (p) {
		store_unmap_all(s, p);
		s->nmaps -= p->cap;
		free(p->maps);
		p->maps = NULL;
		p->cap = 0;
		p->is_taken = true;
	}
	sweep(s);
}

/* ---- mappings ---- */

static struct object *
object_get(struct syms *s, struct process *p, const struct sym_map *m)
{
	static const char deleted[] = " (deleted)";
	if (m->ino == 0 || p->nfiles >= MAX_FILES)
		return NULL;
	size_t len = strlen(m->path), tail = sizeof deleted - 1;
	if (len > tail && strcmp(m->path + len - tail, deleted) == 0)
		len -= tail;
	char *path = strndup(m->path, len);
	if (!path)
		return NULL;
	for (char *c = path; *c; c++)
		if ((unsigned char)*c < 0x20 || *c == 0x7f)
			*c = '?';
	struct object **slot = object_slot(s, m->dev, m->ino), *o = *slot;
	while (o && (o->ino != m->ino || o->dev != m->dev || strcmp(o->path, path) != 0))
		o = o->next;
	if (!o && s->nobjects >= MAX_OBJECTS)
		take_back(s, p);
	if (o || s->nobjects >= MAX_OBJECTS || !(o = calloc(1, sizeof *o))) {
		free(path);
		return o;
	}
	char *slash = strrchr(path, '/');
	*o = (struct object){.next = *slot,
	    .dev = m->dev,
	    .ino = m->ino,
	    .path = path,
	    .base = slash ? slash + 1 : path,
	    .used = ++s->clock};
	*slot = o;
	s->nobjects++;
	return o;
}

static void
unmap(struct process *p, const struct map *m)
{
	if (m->obj) {
		m->obj->nmaps--;
		p->nfiles--;
	}
}

static struct map
counted(struct process *p, struct map m)
{
	if (m.obj) {
		m.obj->nmaps++;
		p->nfiles++;
	}
	return m;
}

void
store_unmap_all(struct syms *s, struct process *p)
{
	(void)s;
	for (unsigned i = 0; i < p->n; i++)
		unmap(p, &p->maps[i]);
	p->n = 0;
}

static bool
reserve(struct syms *s, struct process *p, unsigned want, bool take)
{
	if (want <= p->cap)
		return true;
	unsigned cap = p->cap ? p->cap * 2 : FIRST_MAPS + 2;
	while (cap < want)
		cap *= 2;
	if (want > MAX_MAPS)
		return false;
	if (take && s->nmaps + cap - p->cap > MAX_ALL_MAPS)
		take_back(s, p);
	struct map *maps = s->nmaps + cap - p->cap <= MAX_ALL_MAPS ? realloc(p->maps, cap * sizeof *maps) : NULL;
	if (!maps)
		return false;
	s->nmaps += cap - p->cap;
	p->maps = maps;
	p->cap = cap;
	return true;
}

/* Removes or cuts what was mapped there before. Returns the index for the new mapping. There is room for one more. */
static unsigned
make_hole(struct process *p, uint64_t start, uint64_t end)
{
	unsigned lo = 0, hi = p->n;
	while (lo < hi) {
		unsigned mid = lo + (hi - lo) / 2;
		if (p->maps[mid].end <= start)
			lo = mid + 1;
		else
			hi = mid;
	}
	/* lo: the first mapping that overlaps it or comes behind it */
	struct map *m = &p->maps[lo];
	if (lo < p->n && m->start < start) {
		if (m->end > end) {
			/* In two. */
			memmove(m + 1, m, (p->n - lo) * sizeof *m);
			p->n++;
			m[1] = counted(p, (struct map){end, m->end, m->off + (end - m->start), m->obj});
			m->end = start;
			return lo + 1;
		}
		m->end = start;
		lo++;
	}
	unsigned to = lo;
	for (; to < p->n && p->maps[to].end <= end; to++)
		unmap(p, &p->maps[to]);
	memmove(&p->maps[lo], &p->maps[to], (p->n - to) * sizeof *p->maps);
	p->n -= to - lo;
	m = &p->maps[lo];
	if (lo < p->n && m->start < end) {
		m->off += end - m->start;
		m->start = end;
	}
	return lo;
}

void
store_map(struct syms *s, struct process *p, const struct sym_map *m)
{
	if (p->is_taken || m->end <= m->start)
		return;
	if (!reserve(s, p, p->n + 2, true))
		return;
	struct object *o = object_get(s, p, m);
	unsigned at = make_hole(p, m->start, m->end);
	memmove(&p->maps[at + 1], &p->maps[at], (p->n - at) * sizeof *p->maps);
	p->n++;
	p->maps[at] = counted(p, (struct map){m->start, m->end, m->off, o});
	p->is_vm |= store_is_vm(m->path);
}

void
store_copy_maps(struct syms *s, struct process *to, const struct process *from)
{
	/* Nothing is taken from other processes for it; the parent may be among them. It is read when somebody asks. */
	if (!from->n || to->is_taken || !reserve(s, to, from->n, false))
		return;
	for (unsigned i = 0; i < from->n; i++)
		to->maps[to->n++] = counted(to, from->maps[i]);
}

/* ---- processes ---- */

struct process **
store_slot(struct syms *s, int64_t pid)
{
	struct process **at = &s->slots[(uint64_t)pid % NSLOTS];
	while (*at && (*at)->pid != pid)
		at = &(*at)->next;
	return at;
}

struct process *
store_process(struct syms *s, int64_t pid)
{
	struct process **at = store_slot(s, pid);
	if (!*at && (*at = calloc(1, sizeof **at))) {
		(*at)->pid = pid;
		(*at)->perf_size = -1;
	}
	return *at;
}

void
store_user(struct process *p)
{
	if (!p->has_user && !p->gone)
		p->has_user = proc_user(p->pid, &p->user);
}

void
store_forget(struct syms *s, struct process *p)
{
	if (p->gone) {
		p->gone = false;
		s->ngone--;
	}
	store_unmap_all(s, p);
	p->is_taken = p->has_user = false;
	p->read_at = 0;
	s->perf_bytes -= p->perf_bytes;
	p->perf_bytes = 0;
	symtable_free(&p->perf);
	p->perf_size = -1;
	p->perf_looked = 0;
	jit_free(&p->vm);
	p->vm_looked = 0;
	p->is_vm = false;
	p->told = (struct sym_vm){0};
}

void
store_exited(struct syms *s, struct process *p)
{
	if (p->gone)
		return;
	p->gone = true;
	p->gone_at = ++s->clock;
	if (++s->ngone > MAX_GONE)
		drop_oldest(s);
}

void
store_free(struct syms *s)
{
	for (unsigned i = 0; i < NSLOTS; i++)
		while (s->slots[i]) {
			struct process *p = s->slots[i];
			s->slots[i] = p->next;
			process_free(s, p);
		}
	sweep(s);
}
