/* Names for addresses; see syms.h. */
#include "sym/syms.h"
#include "sym/tables.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#ifdef ET_TINY
enum { NSLOTS = 4, FIRST_MAPS = 1, MAX_GONE = 4, MAX_OBJECTS = 16 };
#else
enum { NSLOTS = 1024, FIRST_MAPS = 16, MAX_GONE = 4096, MAX_OBJECTS = 8192 };
#endif
enum { MAX_MAPS = 20000, MAX_PERFMAP = 256 << 20, MAX_KALLSYMS = 256 << 20 };
#define AGAIN_NS 100000000 /* a process is not read again sooner */
#define MAX_SYMBOL_BYTES ((size_t)512 << 20)

/* A file that is mapped somewhere, and its symbols once somebody has asked for them. */
struct object {
	struct object *next;
	uint64_t dev, ino;
	char *path;
	const char *base; /* its last part */
	enum { UNREAD, READ, NONE } state;
	struct elf elf;
	size_t bytes;
	uint64_t used; /* clock of the last use */
};

struct map {
	uint64_t start, end, off;
	struct object *obj; /* NULL: no file */
};

struct process {
	struct process *next; /* in its slot */
	int64_t pid;
	struct map *maps; /* by start, without overlaps */
	unsigned n, cap;
	bool gone;
	uint64_t gone_at; /* clock */
	uint64_t read_at; /* ns; 0: never */
	struct symtable perf;
	off_t perf_size; /* of the file when it was read; -1: never */
	struct timespec perf_time;
	uint64_t perf_read_at;
};

struct syms {
	pthread_mutex_t lock;
	struct process *slots[NSLOTS];
	unsigned ngone;
	struct object *objects;
	unsigned nobjects;
	size_t bytes;
	uint64_t clock;
	struct symtable kernel;
	bool kernel_read;
	struct elf vdso;
	bool vdso_read;
	char module[256], symbol[1024]; /* what the last lookup has given */
};

static uint64_t
now_ns(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

struct syms *
syms_new(void)
{
	struct syms *s = calloc(1, sizeof *s);
	if (s && pthread_mutex_init(&s->lock, NULL) != 0) {
		free(s);
		s = NULL;
	}
	return s;
}

/* ---- processes ---- */

static struct process **
slot_of(struct syms *s, int64_t pid)
{
	struct process **at = &s->slots[(uint64_t)pid % NSLOTS];
	while (*at && (*at)->pid != pid)
		at = &(*at)->next;
	return at;
}

static void
process_free(struct process *p)
{
	symtable_free(&p->perf);
	free(p->maps);
	free(p);
}

void
syms_free(struct syms *s)
{
	if (!s)
		return;
	for (unsigned i = 0; i < NSLOTS; i++)
		for (struct process *p = s->slots[i], *next; p; p = next) {
			next = p->next;
			process_free(p);
		}
	for (struct object *o = s->objects, *next; o; o = next) {
		next = o->next;
		elf_free(&o->elf);
		free(o->path);
		free(o);
	}
	elf_free(&s->vdso);
	symtable_free(&s->kernel);
	pthread_mutex_destroy(&s->lock);
	free(s);
}

static void
drop_oldest(struct syms *s)
{
	struct process **oldest = NULL;
	for (unsigned i = 0; i < NSLOTS; i++)
		for (struct process **at = &s->slots[i]; *at; at = &(*at)->next)
			if ((*at)->gone && (!oldest || (*at)->gone_at < (*oldest)->gone_at))
				oldest = at;
	if (!oldest)
		return;
	struct process *p = *oldest;
	*oldest = p->next;
	process_free(p);
	s->ngone--;
}

static struct process *
process_get(struct syms *s, int64_t pid)
{
	struct process **at = slot_of(s, pid);
	if (!*at && (*at = calloc(1, sizeof **at))) {
		(*at)->pid = pid;
		(*at)->perf_size = -1;
	}
	return *at;
}

static void
forget_maps(struct syms *s, struct process *p)
{
	if (p->gone) {
		p->gone = false;
		s->ngone--;
	}
	p->n = 0;
	p->read_at = 0;
	symtable_free(&p->perf);
	p->perf_size = -1;
	p->perf_read_at = 0;
}

static struct object *
object_get(struct syms *s, const struct sym_map *m)
{
	if (m->ino == 0)
		return NULL;
	for (struct object *o = s->objects; o; o = o->next)
		if (o->ino == m->ino && o->dev == m->dev && strcmp(o->path, m->path) == 0)
			return o;
	struct object *o = s->nobjects < MAX_OBJECTS ? calloc(1, sizeof *o) : NULL;
	if (!o || !(o->path = strdup(m->path))) {
		free(o);
		return NULL;
	}
	size_t len = strlen(o->path);
	if (len > 10 && strcmp(o->path + len - 10, " (deleted)") == 0)
		o->path[len - 10] = '\0';
	char *slash = strrchr(o->path, '/');
	o->base = slash ? slash + 1 : o->path;
	for (char *c = o->path; *c; c++)
		if ((unsigned char)*c < 0x20 || *c == 0x7f)
			*c = '?';
	o->dev = m->dev;
	o->ino = m->ino;
	o->next = s->objects;
	s->objects = o;
	s->nobjects++;
	return o;
}

/* What was mapped there before is gone: cut, or taken out. */
static void
make_hole(struct process *p, uint64_t start, uint64_t end)
{
	unsigned to = 0;
	struct map tail = {0};
	for (unsigned i = 0; i < p->n; i++) {
		struct map *m = &p->maps[i];
		if (m->start < start && m->end > end)
			tail = (struct map){end, m->end, m->off + (end - m->start), m->obj};
		if (m->start >= start && m->end <= end)
			continue;
		if (m->start < start && m->end > start)
			m->end = start;
		else if (m->start < end && m->end > end) {
			m->off += end - m->start;
			m->start = end;
		}
		p->maps[to++] = *m;
	}
	p->n = to;
	if (tail.end && p->n < p->cap)
		p->maps[p->n++] = tail; /* its place is found when the new mapping is put in */
}

static void
process_map(struct syms *s, struct process *p, const struct sym_map *m)
{
	if (p->n + 2 > p->cap) {
		unsigned cap = p->cap ? p->cap * 2 : FIRST_MAPS + 2;
		struct map *maps = p->n < MAX_MAPS ? realloc(p->maps, cap * sizeof *maps) : NULL;
		if (!maps)
			return;
		p->maps = maps;
		p->cap = cap;
	}
	make_hole(p, m->start, m->end);
	if (p->n == p->cap)
		return;
	p->maps[p->n++] = (struct map){m->start, m->end, m->off, object_get(s, m)};
	/* At most the last two are out of place. */
	for (unsigned i = p->n >= 2 ? p->n - 2 : 0; i < p->n; i++) {
		struct map one = p->maps[i];
		unsigned at = i;
		for (; at > 0 && p->maps[at - 1].start > one.start; at--)
			p->maps[at] = p->maps[at - 1];
		p->maps[at] = one;
	}
}

struct reading {
	struct syms *s;
	struct process *p;
	bool any;
};

static bool
read_one(void *arg, const struct sym_map *m)
{
	struct reading *r = arg;
	if (!r->any)
		r->p->n = 0; /* what we had of it is old; a process that has ended shows nothing and keeps it */
	r->any = true;
	process_map(r->s, r->p, m);
	return true;
}

static void
catch_locked(struct syms *s, int64_t pid)
{
	struct process *p = process_get(s, pid);
	if (!p || p->gone)
		return;
	struct reading r = {s, p, false};
	p->read_at = now_ns();
	proc_maps(pid, read_one, &r);
}

void
syms_catch(struct syms *s, int64_t pid)
{
	pthread_mutex_lock(&s->lock);
	catch_locked(s, pid);
	pthread_mutex_unlock(&s->lock);
}

static void
catch_one(void *arg, int64_t pid)
{
	syms_catch(arg, pid);
}

void
syms_catch_all(struct syms *s)
{
	proc_each(catch_one, s);
}

void
syms_mapped(struct syms *s, int64_t pid, const struct sym_map *m)
{
	pthread_mutex_lock(&s->lock);
	struct process *p = process_get(s, pid);
	if (p && p->gone)
		forget_maps(s, p);
	if (p)
		process_map(s, p, m);
	pthread_mutex_unlock(&s->lock);
}

void
syms_forked(struct syms *s, int64_t pid, int64_t parent)
{
	if (pid == parent)
		return;
	pthread_mutex_lock(&s->lock);
	struct process *p = process_get(s, pid), *from = *slot_of(s, parent);
	if (p)
		forget_maps(s, p);
	if (p && from && from->n) {
		struct map *maps = malloc(from->cap * sizeof *maps);
		if (maps) {
			memcpy(maps, from->maps, from->n * sizeof *maps);
			free(p->maps);
			p->maps = maps;
			p->n = from->n;
			p->cap = from->cap;
		}
	}
	pthread_mutex_unlock(&s->lock);
}

void
syms_execed(struct syms *s, int64_t pid)
{
	pthread_mutex_lock(&s->lock);
	struct process *p = *slot_of(s, pid);
	if (p)
		forget_maps(s, p);
	pthread_mutex_unlock(&s->lock);
}

void
syms_exited(struct syms *s, int64_t pid)
{
	pthread_mutex_lock(&s->lock);
	struct process *p = *slot_of(s, pid);
	if (p && !p->gone) {
		p->gone = true;
		p->gone_at = ++s->clock;
		if (++s->ngone > MAX_GONE)
			drop_oldest(s);
	}
	pthread_mutex_unlock(&s->lock);
}

/* ---- files ---- */

/* Symbols of files that nobody has asked for lately make room. */
static void
make_room(struct syms *s, const struct object *keep)
{
	while (s->bytes > MAX_SYMBOL_BYTES) {
		struct object *oldest = NULL;
		for (struct object *o = s->objects; o; o = o->next)
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

static const struct elf *
object_elf(struct syms *s, struct object *o, int64_t pid, const struct map *m)
{
	o->used = ++s->clock;
	if (o->state == UNREAD) {
		char why[64];
		struct sym_map where = {m->start, m->end, m->off, o->dev, o->ino, o->path};
		int fd = proc_open(pid, &where);
		o->state = fd >= 0 && proc_elf(&o->elf, pid, fd, ELF_SYMS, why, sizeof why) ? READ : NONE;
		if (fd >= 0)
			close(fd);
		if (o->state == READ) {
			o->bytes = o->elf.nsyms * sizeof *o->elf.syms + o->elf.nstrs;
			s->bytes += o->bytes;
			make_room(s, o);
		}
	}
	return o->state == READ ? &o->elf : NULL;
}

/* The page of code that the kernel gives to every process: the same in this one. */
static const struct elf *
vdso_elf(struct syms *s)
{
	if (!s->vdso_read) {
		char why[64];
		const void *at = (const void *)(uintptr_t)getauxval(AT_SYSINFO_EHDR);
		s->vdso_read = true;
		if (at)
			elf_read_mem(&s->vdso, at, 4096, ELF_SYMS, why, sizeof why);
	}
	return &s->vdso;
}

/* ---- perf maps ---- */

/* The number that the process has in its own namespace, which is in the name of its map. */
static long long
inner_pid(int64_t pid)
{
	char path[64], line[256];
	long long inner = pid;
	snprintf(path, sizeof path, "/proc/%lld/status", (long long)pid);
	FILE *f = fopen(path, "re");
	while (f && fgets(line, sizeof line, f))
		if (strncmp(line, "NSpid:", 6) == 0) {
			char *last = strrchr(line, '\t');
			if (last)
				inner = strtoll(last, NULL, 10);
		}
	if (f)
		fclose(f);
	return inner;
}

/* Reads the perf map unless it is the one that we have. */
static void
read_perfmap(struct process *p)
{
	char paths[2][128];
	struct stat st;
	if (p->perf_read_at && now_ns() - p->perf_read_at < AGAIN_NS)
		return;
	p->perf_read_at = now_ns();
	snprintf(paths[0], sizeof paths[0], "/proc/%lld/root/tmp/perf-%lld.map", (long long)p->pid, inner_pid(p->pid));
	snprintf(paths[1], sizeof paths[1], "/tmp/perf-%lld.map", (long long)p->pid);
	for (unsigned i = 0; i < 2; i++) {
		if (lstat(paths[i], &st) != 0 || !S_ISREG(st.st_mode))
			continue;
		if (st.st_size == p->perf_size && st.st_mtim.tv_sec == p->perf_time.tv_sec &&
		    st.st_mtim.tv_nsec == p->perf_time.tv_nsec)
			return;
		size_t len;
		char *text = sym_read_file(paths[i], MAX_PERFMAP, &len);
		if (!text)
			continue;
		symtable_free(&p->perf);
		if (!perfmap_parse(&p->perf, text, len))
			symtable_free(&p->perf);
		free(text);
		p->perf_size = st.st_size;
		p->perf_time = st.st_mtim;
		return;
	}
}

/* ---- lookups ---- */

struct found {
	const char *module, *symbol; /* of tables, or NULL */
	uint64_t off;                /* from the symbol */
	uint64_t modbase;
};

static const struct symtable *
kernel_table(struct syms *s)
{
	if (!s->kernel_read) {
		size_t len;
		char *text = sym_read_file("/proc/kallsyms", MAX_KALLSYMS, &len);
		s->kernel_read = true;
		if (text && !kallsyms_parse(&s->kernel, text, len))
			symtable_free(&s->kernel);
		free(text);
	}
	return &s->kernel;
}

static bool
find_kernel(struct syms *s, uint64_t addr, struct found *f)
{
	const struct symtable *t = kernel_table(s);
	const struct symrow *r = addr >> 63 ? symtable_find(t, addr) : NULL;
	if (!r || addr - r->start > 1 << 24)
		return false;
	const struct symrow *first = r;
	while (first > t->rows && first[-1].module == r->module)
		first--;
	*f = (struct found){t->text + r->module, t->text + r->name, addr - r->start, first->start};
	return true;
}

static const struct map *
find_map(const struct process *p, uint64_t addr)
{
	unsigned lo = 0, hi = p->n;
	while (lo < hi) {
		unsigned mid = lo + (hi - lo) / 2;
		if (p->maps[mid].start <= addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo && addr < p->maps[lo - 1].end ? &p->maps[lo - 1] : NULL;
}

static bool
find_jit(struct process *p, uint64_t addr, struct found *f)
{
	const struct symrow *r = symtable_find(&p->perf, addr);
	if (!r) {
		read_perfmap(p);
		r = symtable_find(&p->perf, addr);
	}
	if (r)
		*f = (struct found){"", p->perf.text + r->name, addr - r->start, p->perf.rows[0].start};
	return r != NULL;
}

/* An address in an ELF file: its symbol, when it has one. */
static void
find_elf(const struct elf *e, uint64_t fileaddr, struct found *f)
{
	const struct elf_sym *y = elf_find(e, fileaddr);
	if (y) {
		f->symbol = elf_name(e, y);
		f->off = fileaddr - y->addr;
	}
}

static bool
find_user(struct syms *s, int64_t pid, uint64_t addr, struct found *f)
{
	struct process *p = process_get(s, pid);
	uint64_t fileaddr;
	if (!p)
		return false;
	const struct map *m = find_map(p, addr);
	if (!m && !p->gone && (!p->read_at || now_ns() - p->read_at > AGAIN_NS)) {
		catch_locked(s, pid);
		m = find_map(p, addr);
	}
	if (!m || !m->obj) {
		if (find_jit(p, addr, f))
			return true;
		/* The kernel's own page of code has no file either, and starts like an ELF file. */
		const struct elf *v = m ? vdso_elf(s) : NULL;
		if (!v || m->end - m->start > 16384 || !elf_find(v, addr - m->start))
			return false;
		*f = (struct found){.module = "[vdso]", .modbase = m->start};
		find_elf(v, addr - m->start, f);
		return true;
	}
	const struct elf *e = object_elf(s, m->obj, pid, m);
	if (!e && find_jit(p, addr, f))
		return true;
	*f = (struct found){.module = m->obj->base, .modbase = m->start};
	for (unsigned i = 0; i < p->n; i++)
		if (p->maps[i].obj == m->obj) {
			f->modbase = p->maps[i].start;
			break;
		}
	if (e && elf_addr_of(e, m->off + (addr - m->start), &fileaddr))
		find_elf(e, fileaddr, f);
	return true;
}

bool
syms_lookup(struct syms *s, int64_t pid, uint64_t addr, const char **module, const char **symbol, uint64_t *off)
{
	struct found f = {0};
	pthread_mutex_lock(&s->lock);
	bool ok = pid ? find_user(s, pid, addr, &f) : find_kernel(s, addr, &f);
	if (ok) {
		snprintf(s->module, sizeof s->module, "%s", f.module);
		snprintf(s->symbol, sizeof s->symbol, "%s", f.symbol ? f.symbol : "");
		*module = s->module;
		*symbol = f.symbol ? s->symbol : NULL;
		*off = f.off;
	}
	pthread_mutex_unlock(&s->lock);
	return ok;
}

uint64_t
syms_start_of(struct syms *s, int64_t pid, uint64_t addr, bool module)
{
	struct found f = {0};
	pthread_mutex_lock(&s->lock);
	if (pid ? find_user(s, pid, addr, &f) : find_kernel(s, addr, &f))
		addr = module ? f.modbase : f.symbol ? addr - f.off : addr;
	pthread_mutex_unlock(&s->lock);
	return addr;
}
