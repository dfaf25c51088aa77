/*
 * Erlang VMs among the processes: reads the names of their functions (jit.h) out of their memory.
 *
 * A process is looked at only if it runs a program whose name begins with "beam". Its memory is read as a file, by the
 * calls of slow.h: another process may be able to delay such a read for as long as it likes (userfaultfd), so there is
 * a limit to waiting.
 */
#include "base/clock.h"
#include "sym/slow.h"
#include "sym/store.h"
#include "sym/unwind.h"
#include "sym/vdso.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_DATA = 16 << 20 };
#define AGAIN_NS ((uint64_t)100000000)  /* ns before the list of modules is looked at again */
#define LATER_NS ((uint64_t)2000000000) /* the same if there was none */

struct vm_memory {
	struct spending *sp;
	int fd;
};

static bool
read_memory(void *arg, uint64_t at, void *to, size_t n)
{
	struct vm_memory *m = arg;
	while (n) {
		ssize_t got = slow_pread(m->sp, m->fd, to, n, (off_t)at);
		if (got <= 0)
			return false;
		to = (char *)to + got;
		at += (uint64_t)got;
		n -= (size_t)got;
	}
	return true;
}

bool
store_is_vm(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash && strncmp(slash, "/beam", 5) == 0;
}

/* Finds the data of the program: the part of its file that it may write. */
static bool
find_data(int64_t pid, struct spending *sp, uint64_t *start, uint64_t *end)
{
	char path[64], *line = NULL;
	size_t room = 0;
	bool found = false;
	snprintf(path, sizeof path, "/proc/%lld/maps", (long long)pid);
	FILE *f = fopen(path, "re");
	while (f && !found && spend_time(sp) && getline(&line, &room, f) > 0) {
		unsigned long long from, to;
		char perms[8];
		int name = 0;
		if (sscanf(line, "%llx-%llx %7s %*x %*x:%*x %*u %n", &from, &to, perms, &name) == 3 && name &&
		    perms[1] == 'w') {
			line[(size_t)name + strcspn(line + name, "\n")] = '\0';
			found = store_is_vm(line + name) && to > from && to - from <= MAX_DATA;
			*start = from;
			*end = to;
		}
	}
	if (f)
		fclose(f);
	free(line);
	return found;
}

static void
look(struct process *p, struct vm_memory *m)
{
	struct jit_memory bm = {read_memory, m};
	uint64_t start, end;
	if (p->vm.descriptor) {
		jit_follow(&p->vm, &bm, m->sp);
		return;
	}
	if (!find_data(p->pid, m->sp, &start, &end))
		return;
	size_t n = (size_t)(end - start);
	void *data = spend(m->sp, SPEND_BYTES, n) ? malloc(n) : NULL;
	if (data && read_memory(m, start, data, n))
		jit_look(&p->vm, &bm, data, n, start, m->sp);
	free(data);
}

void
store_vm(struct syms *s, struct process *p)
{
	char path[64];
	struct stat st;
	uint64_t now = mono_ns();
	if (p->gone || (p->vm_looked && now - p->vm_looked < (p->vm.descriptor ? AGAIN_NS : LATER_NS)))
		return;
	if (!p->vm.descriptor && !p->is_vm)
		return;
	struct spending sp = spend_begin(store_budget(s, p));
	snprintf(path, sizeof path, "/proc/%lld/mem", (long long)p->pid);
	struct vm_memory m = {&sp, slow_open(&sp, path, 0, &st)};
	if (m.fd >= 0) {
		look(p, &m);
		slow_close(&sp, m.fd);
	}
	if (sp.over)
		store_note(s, "an Erlang VM", p->pid, sp.over);
	spend_end(&sp);
	p->vm_looked = mono_ns();
}

/* ---- what is told about them ---- */

static bool
has_code(const struct jit *b, const struct map *m)
{
	for (size_t i = 0; i < b->names.n; i++)
		if (b->names.rows[i].start >= m->start && b->names.rows[i].start < m->end)
			return true;
	return false;
}

static struct sym_span
find_named(const struct jit *b, const char *name)
{
	for (size_t i = 0; i < b->names.n; i++) {
		const struct symrow *r = &b->names.rows[i];
		if (strcmp(b->names.text + r->name, name) == 0)
			return (struct sym_span){r->start, r->start + r->size};
	}
	return (struct sym_span){0};
}

static struct sym_vm
describe(const struct process *p)
{
	struct sym_vm vm = {.normal_exit = p->vm.normal_exit, .scheduling = find_named(&p->vm, "global::process_main")};
	unsigned n = 0;
	for (unsigned i = 0; i < p->n && n < SYM_VM_SPANS; i++)
		if (has_code(&p->vm, &p->maps[i]))
			vm.spans[n++] = (struct sym_span){p->maps[i].start, p->maps[i].end};
	return vm;
}

/* Returns whether the mapping has the code that the kernel maps into every process. */
static bool
is_vdso(const struct process *p, const struct map *m, struct spending *sp)
{
	char path[64], *there;
	struct stat st;
	size_t len;
	const void *image = vdso_image(&len);
	if (!image || m->end - m->start < len || m->end - m->start > VDSO_MOST || !(there = malloc(len)))
		return false;
	snprintf(path, sizeof path, "/proc/%lld/mem", (long long)p->pid);
	struct vm_memory mem = {sp, slow_open(sp, path, 0, &st)};
	bool is = mem.fd >= 0 && read_memory(&mem, m->start, there, len) && memcmp(there, image, len) == 0;
	if (mem.fd >= 0)
		slow_close(sp, mem.fd);
	free(there);
	return is;
}

/* Opens what is mapped there. */
static int
open_code(const struct process *p, const struct map *m, struct spending *sp)
{
	if (!spend_look(sp))
		return -1;
	if (!m->obj)
		return is_vdso(p, m, sp) ? vdso_file() : -1;
	struct sym_map where = {m->start, m->end, m->off, m->obj->dev, m->obj->ino, m->obj->path};
	return proc_open(p->pid, &where, sp);
}

/* Tells fn, with the unwinding data of the files that it maps. */
static void
tell(struct syms *s, struct process *p, const struct sym_vm *vm, sym_vm_f *fn, void *arg)
{
	struct sym_code files[SYM_VM_FILES] = {{0}};
	struct unwind read[SYM_VM_FILES];
	unsigned n = 0;
	for (unsigned i = 0; i < p->n && n < SYM_VM_FILES; i++) {
		const struct map *m = &p->maps[i];
		if (has_code(&p->vm, m))
			continue;
		struct spending sp = spend_begin(store_budget(s, p));
		int fd = open_code(p, m, &sp);
		/* where no file is, the mapping may have any offset */
		uint64_t off = m->obj ? m->off : 0;
		struct unwind *u = &read[n];
		if (fd >= 0 && unwind_read(u, fd, off, &sp))
			files[n++] = (struct sym_code){.start = m->start,
			    .end = m->end,
			    .base = m->start - (off + u->delta),
			    .dev = m->obj ? m->obj->dev : 0,
			    .ino = m->obj ? m->obj->ino : 0,
			    .rows = u->rows,
			    .nrows = u->n};
		if (fd >= 0)
			slow_close(&sp, fd);
		spend_end(&sp);
	}
	fn(arg, p->pid, vm, files, n);
	while (n)
		free(read[--n].rows);
}

static void
follow(struct syms *s, bool named, sym_vm_f *fn, void *arg)
{
	for (unsigned i = 0; i < NSLOTS; i++)
		for (struct process *p = s->slots[i]; p; p = p->next) {
			unsigned reads = p->vm.nreads;
			if (!p->is_vm || p->gone || p->is_named != named)
				continue;
			store_vm(s, p);
			if (!p->vm.descriptor || (p->told.normal_exit && p->vm.nreads == reads))
				continue;
			struct sym_vm vm = describe(p);
			/* Without the place where processes change, the stack of the last one would be taken for the
			 * next one's. */
			if (vm.scheduling.end && memcmp(&vm, &p->told, sizeof vm) != 0)
				tell(s, p, &vm, fn, arg);
			p->told = vm;
		}
}

void
syms_follow(struct syms *s, sym_vm_f *fn, void *arg)
{
	/* There is room for a limited number of files: the ones that the user asked for come first. */
	pthread_mutex_lock(&s->lock);
	follow(s, true, fn, arg);
	follow(s, false, fn, arg);
	pthread_mutex_unlock(&s->lock);
}

static void
catch_vm(void *arg, int64_t pid)
{
	char link[64], path[4096];
	snprintf(link, sizeof link, "/proc/%lld/exe", (long long)pid);
	ssize_t n = readlink(link, path, sizeof path - 1);
	if (n <= 0)
		return;
	path[n] = '\0';
	if (store_is_vm(path))
		syms_look(arg, pid);
}

void
syms_catch_vms(struct syms *s)
{
	proc_each(catch_vm, s);
}
