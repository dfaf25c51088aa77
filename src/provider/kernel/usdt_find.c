/* Looks for USDT probes; see usdt_find.h. */
#include "provider/kernel/usdt_find.h"

#include "arch/arch.h"
#include "arch/code.h"
#include "base/hash.h"
#include "base/sbuf.h"
#include "sym/slow.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	MAX_FILES = 4096,    /* of one process */
	MAX_MINE = 50000,    /* probes in processes of one user that is not trusted */
	MAX_FOREIGN = 75000, /* in those of all such users */
	MAX_USERS = 1024,    /* the rest share a budget */
	MAX_TOLD = 10,       /* notes of what was left out */
	FIRST_SLOTS = 256,
};

/* A user who has processes here. */
struct user {
	uid_t uid;
	bool is_trusted;
	struct budget budget;
	unsigned nprobes;
};

/* A process to look at. */
struct one {
	int64_t pid;
	uid_t uid;
	bool is_trusted;
};

/* One look. */
struct usdt_look {
	struct usdt_find *f;
	struct budget all; /* of everybody who is not trusted */
	struct slow *slow; /* files are opened through it */
	struct user *users;
	unsigned nusers;
	struct one *ones;
	unsigned nones, capones;
	/* The process that is looked at now. */
	struct user *user;
	struct spending *sp;
	int64_t pid;
	unsigned nfiles;
	bool oom;
};

void
usdt_leave_out(struct usdt_find *f, const char *what, int64_t pid, bool is_trusted, const char *why)
{
	struct sbuf b = {0};
	if (f->nnotes > MAX_TOLD)
		return;
	if (f->nnotes++ == MAX_TOLD)
		sb_adds(&b, "left out more of other users' processes and files");
	else {
		sb_printf(&b, "left out %s", what);
		if (pid)
			sb_printf(&b, " of process %lld", (long long)pid);
		sb_printf(&b, ": %s", why);
		if (!is_trusted)
			sb_printf(
			    &b, "; name the process (PROVIDER%lld:::) to have more of it looked at", (long long)pid);
	}
	char *text = sb_take(&b);
	if (text)
		probes_note(f->ps, text);
	free(text);
}

/* ---- files ---- */

static bool
data_symbol(void *arg, const char *name, uint64_t *addr)
{
	const struct elf_sym *s = elf_named(arg, name);
	if (s)
		*addr = s->addr;
	return s != NULL;
}

/* process__spawn → process-spawn */
static char *
dashed(struct arena *ar, const char *name)
{
	char *to = ar_strndup(ar, name, strlen(name)), *out = to;
	for (const char *p = to; p && *p;) {
		if (p[0] == '_' && p[1] == '_' && p != to && p[2]) {
			*out++ = '-';
			p += 2;
		} else
			*out++ = *p++;
	}
	if (out)
		*out = '\0';
	return to;
}

/* A place in the code, and the semaphore that its first note has. */
struct taken {
	uint64_t off, ref;
	bool is_used;
};

/* A file while it is read: its entries by their three names, and its places. */
struct entries {
	struct usdt_entry **slots;
	struct taken *places;
	size_t nslots;
	int fd; /* -1 if its notes are trusted */
	struct spending *sp;
	unsigned refused; /* notes that were refused */
};

static struct usdt_entry **
entry_slot(const struct entries *t, const char *provider, const char *function, const char *name)
{
	uint64_t h[3] = {hash_bytes(provider, strlen(provider)), hash_bytes(function, strlen(function)),
	    hash_bytes(name, strlen(name))};
	size_t at = hash_bytes(h, sizeof h) & (t->nslots - 1);
	for (struct usdt_entry *e; (e = t->slots[at]); at = (at + 1) & (t->nslots - 1))
		if (strcmp(e->provider, provider) == 0 && strcmp(e->name, name) == 0 &&
		    strcmp(e->function, function) == 0)
			break;
	return &t->slots[at];
}

static bool
is_in(const struct elf *e, uint64_t addr, bool exec, bool write)
{
	for (unsigned i = 0; i < e->nloads; i++) {
		const struct elf_load *l = &e->loads[i];
		if (addr >= l->vaddr && addr - l->vaddr < l->filesz && (!exec || l->exec) && (!write || l->write))
			return true;
	}
	return false;
}

/*
 * Returns whether the kernel will accept a note's place. A place that it refuses would keep a script about everybody's
 * probes from running at all. Compilers leave an instruction that does nothing there, and one place has one semaphore.
 */
static bool
is_sound(struct entries *t, const struct elf *e, const struct elf_note *n, uint64_t off, uint64_t ref)
{
	unsigned char code[2] = {0};
	if (t->fd < 0)
		return true;
	if (!is_in(e, n->pc, true, false) || (n->sem && (!is_in(e, n->sem, false, true) || ref % 2)) ||
	    slow_pread(t->sp, t->fd, code, sizeof code, (off_t)off) < 1 ||
	    !(code[0] == 0x90 || (code[0] == 0x66 && code[1] == 0x90) || (code[0] == 0x0f && code[1] == 0x1f)))
		return false;
	size_t at = hash_bytes(&off, sizeof off) & (t->nslots - 1);
	while (t->places[at].is_used && t->places[at].off != off)
		at = (at + 1) & (t->nslots - 1);
	if (t->places[at].is_used)
		return t->places[at].ref == ref;
	t->places[at] = (struct taken){off, ref, true};
	return true;
}

static bool
add_note(
    struct usdt_find *f, struct file *to, struct entries *t, struct elf *e, const char *strs, const struct elf_note *n)
{
	struct arena *ar = probes_arena(f->ps);
	uint64_t off, ref = 0;
	const struct elf_sym *s = elf_find(e, n->pc);
	const char *provider = strs + n->provider, *function = s ? elf_name(e, s) : "";
	char *name = dashed(ar, strs + n->name);
	if (!name)
		return false;
	/* A semaphore in a place where it cannot be counted would leave the probe off. */
	if (!elf_off_of(e, n->pc, &off) || (n->sem && !elf_off_of(e, n->sem, &ref)))
		return true;
	if (!is_sound(t, e, n, off, ref)) {
		t->refused++;
		return true;
	}
	struct usdt_entry **slot = entry_slot(t, provider, function, name), *en = *slot;
	if (!en) {
		if (!(en = AR_NEW(ar, struct usdt_entry)) ||
		    !(en->provider = ar_strndup(ar, provider, strlen(provider))) ||
		    !(en->function = ar_strndup(ar, function, strlen(function))))
			return false;
		en->name = name;
		en->file = to;
		*slot = *to->last = en;
		to->last = &en->next;
		to->nentries++;
	}
	const char *args = strs + n->args;
	struct site *at = AR_NEW(ar, struct site);
	if (!at || !(at->text = ar_strndup(ar, args, strlen(args))))
		return false;
	at->off = off;
	at->ref = ref;
	at->nargs = usdt_parse(&ARCH_CODE, args, n->pc, at->args, RT_NARGS, data_symbol, e);
	at->next = en->sites;
	en->sites = at;
	return true;
}

static bool
add_notes(struct usdt_find *f, struct file *to, const struct elf *notes, struct elf *symbols, int64_t pid, int fd,
    struct spending *sp)
{
	struct entries t = {.nslots = 16, .fd = fd, .sp = sp};
	while (t.nslots < notes->nnotes * 2)
		t.nslots *= 2;
	t.slots = calloc(t.nslots, sizeof *t.slots);
	t.places = calloc(t.nslots, sizeof *t.places);
	bool ok = t.slots && t.places;
	for (size_t i = 0; ok && i < notes->nnotes && spend_time(sp); i++)
		ok = add_note(f, to, &t, symbols, notes->notestrs, &notes->notes[i]);
	if (t.refused) {
		char what[400];
		snprintf(what, sizeof what, "%u probe%s in %.300s", t.refused, t.refused == 1 ? "" : "s", to->path);
		usdt_leave_out(f, what, pid, false, "there is nothing to trace at their places");
	}
	free(t.slots);
	free(t.places);
	return ok;
}

/* Fills in the file's probes. The time is charged to the look at the process. Returns false if there is no memory. */
static bool
read_file(struct usdt_find *f, struct file *to, int64_t pid, const struct sym_map *m, struct budget *b, bool is_trusted)
{
	struct spending sp = spend_begin(b);
	struct elf e, symbols;
	struct stat st;
	struct why why = {""};
	int fd = pid ? proc_open(pid, m, &sp) : slow_open(&sp, m->path, 0, &st);
	bool any = fd >= 0 && elf_read_fd(&e, fd, ELF_NOTES, &sp, &why), ok = true;
	to->left_by = NULL;
	/* Symbols are read only from the few files that have notes. */
	if (any && e.nnotes && proc_elf(&symbols, pid, fd, ELF_SYMS | ELF_DATA, &sp, &why)) {
		ok = add_notes(f, to, &e, &symbols, pid, is_trusted ? -1 : fd, &sp);
		elf_free(&symbols);
	}
	if (any)
		elf_free(&e);
	if (fd >= 0)
		slow_close(&sp, fd);
	if (sp.over) {
		to->left_by = b;
		to->entries = NULL;
		to->last = &to->entries;
		to->nentries = 0;
		if (!probes_stopped(f->ps))
			usdt_leave_out(f, to->path, pid, is_trusted, sp.over);
	}
	return ok;
}

static struct file **
file_slot(struct file **slots, unsigned nslots, uint64_t dev, uint64_t ino)
{
	uint64_t key[2] = {dev, ino};
	struct file **at = &slots[hash_bytes(key, sizeof key) & (nslots - 1)];
	while (*at && ((*at)->ino != ino || (*at)->dev != dev))
		at = &(*at)->next;
	return at;
}

static bool
grow(struct usdt_find *f)
{
	unsigned n = f->nslots * 2;
	struct file **slots = AR_NEWN(probes_arena(f->ps), struct file *, n);
	if (!slots)
		return false;
	for (unsigned i = 0; i < f->nslots; i++)
		for (struct file *x = f->slots[i], *next; x; x = next) {
			next = x->next;
			struct file **at = file_slot(slots, n, x->dev, x->ino);
			x->next = NULL;
			*at = x;
		}
	f->slots = slots;
	f->nslots = n;
	return true;
}

/* Returns the file with its probes, read once. It is read again if it was left out for one user and another has it
 * too, or if there is a large budget for it now. Returns NULL if there is no memory. */
static struct file *
file_get(struct usdt_find *f, int64_t pid, const struct sym_map *m, struct budget *b, bool is_trusted)
{
	struct arena *ar = probes_arena(f->ps);
	struct file *x = *file_slot(f->slots, f->nslots, m->dev, m->ino);
	if (x)
		return !x->left_by || (x->left_by == b && !is_trusted) || read_file(f, x, pid, m, b, is_trusted) ? x
														 : NULL;
	if (f->nfiles >= f->nslots && !grow(f))
		return NULL;
	x = AR_NEW(ar, struct file);
	char *path = x ? ar_strndup(ar, m->path, strlen(m->path)) : NULL;
	if (!path)
		return NULL;
	const char *slash = strrchr(path, '/');
	*x = (struct file){.dev = m->dev, .ino = m->ino, .path = path, .base = slash ? slash + 1 : path};
	x->last = &x->entries;
	*file_slot(f->slots, f->nslots, m->dev, m->ino) = x;
	f->nfiles++;
	return read_file(f, x, pid, m, b, is_trusted) ? x : NULL;
}

static bool
is_ended(void *arg)
{
	return probes_stopped(arg);
}

static struct budget
large(struct usdt_find *f)
{
	struct budget b = budget_large();
	b.stopped = is_ended;
	b.arg = f->ps;
	return b;
}

const struct file *
usdt_file(struct usdt_find *f, const struct sym_map *m)
{
	struct budget b = large(f);
	if (!(b.slow = slow_new()))
		return NULL;
	const struct file *x = file_get(f, 0, m, &b, true);
	slow_free(b.slow);
	return x;
}

/* ---- processes ---- */

/* Notes a program of Erlang's VM that has no probes, for the error of a script that asks for them. */
static bool
note_vm(struct usdt_look *k, const struct file *x)
{
	if (strncmp(x->base, "beam.", 5) != 0)
		return true;
	for (const struct vm *v = k->f->vms; v; v = v->next)
		if (v->pid == k->pid)
			return true;
	struct vm *v = AR_NEW(probes_arena(k->f->ps), struct vm);
	if (!v)
		return false;
	*v = (struct vm){k->f->vms, k->pid, x->path};
	k->f->vms = v;
	return true;
}

/* Returns whether a process may have the probes of one more file. */
static bool
fits(struct usdt_look *k, const struct file *x)
{
	if (k->user->is_trusted)
		return true;
	if (k->user->nprobes + x->nentries > MAX_MINE || k->f->foreign + x->nentries > MAX_FOREIGN) {
		usdt_leave_out(k->f, x->path, k->pid, false, "its user's processes have too many probes together");
		return false;
	}
	k->user->nprobes += x->nentries;
	k->f->foreign += x->nentries;
	return true;
}

/* A mapping of a process: remembered if its file has probes. */
static bool
look_map(void *arg, const struct sym_map *m)
{
	struct usdt_look *k = arg;
	if (m->ino == 0 || m->path[0] != '/')
		return true;
	if (k->nfiles++ >= MAX_FILES && !k->user->is_trusted) {
		k->sp->over = "it has too many files mapped";
		return false;
	}
	struct file *x = file_get(k->f, k->pid, m, &k->user->budget, k->user->is_trusted);
	k->oom |= !x;
	if (!spend_look(k->sp))
		return false;
	if (x && !x->entries)
		k->oom |= !note_vm(k, x);
	if (!x || !x->entries || x->mapped_by == k->pid || !fits(k, x))
		return !k->oom;
	x->mapped_by = k->pid;
	struct mapped *to = AR_NEW(probes_arena(k->f->ps), struct mapped);
	if (!to) {
		k->oom = true;
		return false;
	}
	*to = (struct mapped){.pid = k->pid, .map = *m, .file = x, .is_trusted = k->user->is_trusted};
	to->map.path = x->path;
	*k->f->last = to;
	k->f->last = &to->next;
	return true;
}

static void
look_process(struct usdt_look *k, int64_t pid, struct user *u)
{
	struct spending sp = spend_begin(&u->budget);
	k->pid = pid;
	k->user = u;
	k->nfiles = 0;
	k->sp = &sp;
	proc_maps(pid, &sp, look_map, k);
	if (sp.over && !probes_stopped(k->f->ps))
		usdt_leave_out(k->f, "mappings", pid, u->is_trusted, sp.over);
	spend_end(&sp);
}

static void
collect(void *arg, int64_t pid)
{
	struct usdt_look *k = arg;
	struct proc_user u;
	if (k->oom || !proc_user(pid, &u))
		return;
	if (k->nones == k->capones) {
		unsigned cap = k->capones ? k->capones * 2 : 256;
		struct one *p = realloc(k->ones, cap * sizeof *p);
		if (!p) {
			k->oom = true;
			return;
		}
		k->ones = p;
		k->capones = cap;
	}
	k->ones[k->nones++] = (struct one){pid, u.real, proc_is_trusted(&u)};
}

/* Trusted users come first, so that nobody takes from them; otherwise by number. */
static int
by_trust(const void *a, const void *b)
{
	const struct one *x = a, *y = b;
	if (x->is_trusted != y->is_trusted)
		return x->is_trusted ? -1 : 1;
	return (x->pid > y->pid) - (x->pid < y->pid);
}

static struct user *
user_get(struct usdt_look *k, const struct one *o)
{
	for (unsigned i = 0; i < k->nusers; i++)
		if ((k->users[i].uid == o->uid && k->users[i].is_trusted == o->is_trusted) || i == MAX_USERS - 1)
			return &k->users[i];
	struct user *u = &k->users[k->nusers++];
	*u = (struct user){.uid = o->uid, .is_trusted = o->is_trusted};
	u->budget = o->is_trusted ? large(k->f) : budget_small();
	u->budget.slow = k->slow;
	if (!o->is_trusted)
		u->budget.all = &k->all;
	return u;
}

static bool
was_looked_at(const struct usdt_find *f, int64_t pid)
{
	for (unsigned i = 0; i < f->npids; i++)
		if (f->pids[i] == pid)
			return true;
	return false;
}

static bool
look_all(struct usdt_find *f)
{
	struct usdt_look k = {
	    .f = f, .all = budget_small(), .slow = slow_new(), .users = calloc(MAX_USERS, sizeof *k.users)};
	if (!k.users || !k.slow) {
		slow_free(k.slow);
		free(k.users);
		return false;
	}
	/* All users together may have two and a half times what one may have. */
	for (unsigned i = 0; i < SPEND_N; i++)
		k.all.left[i] = k.all.left[i] * 5 / 2;
	k.all.cpu = k.all.cpu * 5 / 2;
	k.all.wait = k.all.wait * 5 / 2;
	k.all.stopped = is_ended;
	k.all.arg = f->ps;
	proc_each(collect, &k);
	qsort(k.ones, k.nones, sizeof *k.ones, by_trust);
	for (unsigned i = 0; i < k.nones && !k.oom && !probes_stopped(f->ps); i++)
		if (!was_looked_at(f, k.ones[i].pid))
			look_process(&k, k.ones[i].pid, user_get(&k, &k.ones[i]));
	slow_free(k.slow);
	free(k.users);
	free(k.ones);
	return !k.oom && !probes_stopped(f->ps);
}

bool
usdt_look(struct usdt_find *f, int64_t pid)
{
	if (!pid) {
		if (f->all)
			return true;
		f->all = true;
		return look_all(f);
	}
	if (was_looked_at(f, pid))
		return true;
	probes_ready(f->ps, pid);
	struct user named = {.is_trusted = true, .budget = large(f)};
	struct usdt_look k = {.f = f};
	if (!(named.budget.slow = slow_new()))
		return false;
	look_process(&k, pid, &named);
	slow_free(named.budget.slow);
	if (f->npids < sizeof f->pids / sizeof *f->pids)
		f->pids[f->npids++] = pid;
	return !k.oom && !probes_stopped(f->ps);
}

struct usdt_find *
usdt_find_new(struct probes *ps)
{
	struct usdt_find *f = AR_NEW(probes_arena(ps), struct usdt_find);
	if (!f || !(f->slots = AR_NEWN(probes_arena(ps), struct file *, FIRST_SLOTS)))
		return NULL;
	f->ps = ps;
	f->nslots = FIRST_SLOTS;
	f->last = &f->mapped;
	return f;
}
