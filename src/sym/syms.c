/* Names for addresses; see syms.h. */
#include "base/clock.h"
#include "sym/slow.h"
#include "sym/store.h"
#include "sym/vdso.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_KALLSYMS = 256 << 20 };
#define AGAIN_NS 100000000 /* ns before a process is read again */
#define LATER_NS ((uint64_t)60 * 1000000000u)

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

void
syms_on_note(struct syms *s, void (*fn)(void *arg, const char *text), void *arg)
{
	s->note = fn;
	s->notearg = arg;
}

void
syms_free(struct syms *s)
{
	if (!s)
		return;
	store_free(s);
	slow_free(s->slow);
	elf_free(&s->vdso);
	symtable_free(&s->kernel);
	pthread_mutex_destroy(&s->lock);
	free(s);
}

/* ---- processes ---- */

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
		store_unmap_all(r->s, r->p); /* what we had is outdated; for a process that has ended there is nothing
					      * to read, and it is kept */
	r->any = true;
	store_map(r->s, r->p, m);
	return true;
}

static void
catch_locked(struct syms *s, int64_t pid)
{
	struct process *p = store_process(s, pid);
	if (!p || p->gone)
		return;
	struct reading r = {s, p, false};
	struct spending sp = spend_begin(store_budget(s, p));
	p->read_at = mono_ns();
	proc_maps(pid, &sp, read_one, &r);
	spend_end(&sp);
	store_vm(s, p);
}

void
syms_catch(struct syms *s, int64_t pid)
{
	pthread_mutex_lock(&s->lock);
	struct process *p = store_process(s, pid);
	if (p)
		p->is_named = true;
	catch_locked(s, pid);
	pthread_mutex_unlock(&s->lock);
}

void
syms_look(struct syms *s, int64_t pid)
{
	pthread_mutex_lock(&s->lock);
	catch_locked(s, pid);
	pthread_mutex_unlock(&s->lock);
}

static void
catch_one(void *arg, int64_t pid)
{
	syms_look(arg, pid);
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
	struct process *p = store_process(s, pid);
	if (p && p->gone)
		store_forget(s, p);
	if (p)
		store_map(s, p, m);
	pthread_mutex_unlock(&s->lock);
}

void
syms_forked(struct syms *s, int64_t pid, int64_t parent)
{
	if (pid == parent)
		return;
	pthread_mutex_lock(&s->lock);
	struct process *p = store_process(s, pid), *from = *store_slot(s, parent);
	if (p)
		store_forget(s, p);
	if (p && from)
		store_copy_maps(s, p, from);
	pthread_mutex_unlock(&s->lock);
}

void
syms_execed(struct syms *s, int64_t pid)
{
	pthread_mutex_lock(&s->lock);
	struct process *p = *store_slot(s, pid);
	if (p)
		store_forget(s, p);
	pthread_mutex_unlock(&s->lock);
}

void
syms_exited(struct syms *s, int64_t pid)
{
	pthread_mutex_lock(&s->lock);
	struct process *p = *store_slot(s, pid);
	if (p)
		store_exited(s, p);
	pthread_mutex_unlock(&s->lock);
}

/* ---- files ---- */

static const struct elf *
object_elf(struct syms *s, struct object *o, struct process *p, const struct map *m)
{
	o->used = ++s->clock;
	if (o->state == NONE && o->again && mono_ns() > o->again)
		o->state = UNREAD;
	if (o->state == UNREAD) {
		struct why why;
		struct sym_map where = {m->start, m->end, m->off, o->dev, o->ino, o->path};
		struct spending sp = spend_begin(store_budget(s, p));
		int fd = spend_look(&sp) ? proc_open(p->pid, &where, &sp) : -1;
		o->state = fd >= 0 && proc_elf(&o->elf, p->pid, fd, ELF_SYMS, &sp, &why) ? READ : NONE;
		if (fd >= 0)
			slow_close(&sp, fd);
		if (sp.over && !o->again)
			store_note(s, o->path, p->pid, sp.over);
		o->again = sp.over ? mono_ns() + LATER_NS : 0;
		spend_end(&sp);
		if (o->state == READ) {
			o->bytes = o->elf.nsyms * sizeof *o->elf.syms + o->elf.nstrs;
			s->bytes += o->bytes;
			store_make_room(s, o);
		}
	}
	return o->state == READ ? &o->elf : NULL;
}

/* The code that the kernel maps into every process; it is the same in this one. */
static const struct elf *
vdso_elf(struct syms *s)
{
	if (!s->vdso_read) {
		struct why why;
		size_t len;
		const void *image = vdso_image(&len);
		s->vdso_read = true;
		if (image)
			elf_read_mem(&s->vdso, image, len, ELF_SYMS, &why);
	}
	return &s->vdso;
}

/* ---- lookups ---- */

struct found {
	const char *module, *symbol; /* point into tables, or NULL */
	uint64_t off;                /* from the symbol */
	uint64_t modbase;
	char place[32]; /* text of `symbol` for a function without a name */
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
	*f = (struct found){.module = t->text + r->module,
	    .symbol = t->text + r->name,
	    .off = addr - r->start,
	    .modbase = first->start};
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

/* Functions of Erlang have their modules in their names. Pieces of code that all of them use are "global::name". */
static bool
find_erlang(struct syms *s, struct process *p, uint64_t addr, struct found *f)
{
	store_vm(s, p);
	const struct symrow *r = p->vm.descriptor ? jit_find(&p->vm, addr) : NULL;
	if (!r)
		return false;
	const char *name = p->vm.names.text + r->name;
	bool is_piece = strncmp(name, "global::", 8) == 0;
	*f = (struct found){.module = is_piece ? "[jit]" : "",
	    .symbol = is_piece ? name + 8 : name,
	    .off = addr - r->start,
	    .modbase = p->vm.names.rows[0].start};
	return true;
}

static bool
find_jit(struct syms *s, struct process *p, uint64_t addr, struct found *f)
{
	if (find_erlang(s, p, addr, f))
		return true;
	const struct symrow *r = symtable_find(&p->perf, addr);
	if (!r) {
		store_perfmap(s, p);
		r = symtable_find(&p->perf, addr);
	}
	if (r)
		*f = (struct found){.module = "",
		    .symbol = p->perf.text + r->name,
		    .off = addr - r->start,
		    .modbase = p->perf.rows[0].start};
	return r != NULL;
}

/* Finds the symbol of an address in an ELF file, if there is one. */
static void
find_elf(const struct elf *e, uint64_t fileaddr, struct found *f)
{
	const struct elf_sym *y = elf_find(e, fileaddr);
	uint64_t start;
	if (y) {
		f->symbol = elf_name(e, y);
		f->off = fileaddr - y->addr;
	} else if (elf_start_of(e, fileaddr, &start)) {
		/* Stripped and not exported, so the name is lost. All frames of the function share its place in the
		 * file. */
		snprintf(f->place, sizeof f->place, "function@%llx", (unsigned long long)start);
		f->symbol = f->place;
		f->off = fileaddr - start;
	}
}

static bool
find_user(struct syms *s, int64_t pid, uint64_t addr, struct found *f)
{
	struct process *p = store_process(s, pid);
	uint64_t fileaddr;
	if (!p)
		return false;
	const struct map *m = find_map(p, addr);
	if (!m && !p->gone && (!p->read_at || mono_ns() - p->read_at > AGAIN_NS)) {
		catch_locked(s, pid);
		m = find_map(p, addr);
	}
	if (!m || !m->obj) {
		if (find_jit(s, p, addr, f))
			return true;
		/* The kernel's own code has no file either. Most of its time passes in functions without a name. */
		const struct elf *v = m ? vdso_elf(s) : NULL;
		uint64_t start;
		if (!v || m->end - m->start > 16384 ||
		    (!elf_find(v, addr - m->start) && !elf_start_of(v, addr - m->start, &start)))
			return false;
		*f = (struct found){.module = "[vdso]", .modbase = m->start};
		find_elf(v, addr - m->start, f);
		return true;
	}
	/* Code that it made itself may be in a file without a name. */
	bool is_unnamed = strncmp(m->obj->path, "/memfd:", 7) == 0;
	if (is_unnamed && find_erlang(s, p, addr, f))
		return true;
	const struct elf *e = object_elf(s, m->obj, p, m);
	if (!e && find_jit(s, p, addr, f))
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
