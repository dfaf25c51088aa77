/*
 * USDT: the probes that programs and libraries bring along, noted in their ELF files (.note.stapsdt).
 *
 * As in DTrace, a probe is PROVIDERpid:module:function:name, one for each process that has the file mapped. In addition
 * there is PROVIDER:module:function:name, without a number: in every process, also those that start later, because the
 * kernel puts the breakpoint wherever the file is mapped. A pattern such as PROVIDER* finds both. Then a process that
 * is listed fires its own probe and all others the common one, so each event fires once. A module that is a path names
 * a file, mapped or not. `usdt` and `usdtPID` stand for all of these providers.
 *
 * Two underscores in a name become a dash: process__spawn is process-spawn. A probe may have several places in the code
 * (it is inlined, or written twice): those in one function are one probe.
 *
 * An Erlang VM that was built with USDT has the provider erlang, with the same names as the provider of an attached
 * node. Types and other spellings come from there (provider/erlang.h).
 */
#include "provider/kernel/usdt_find.h"
#include "provider/erlang.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX_PROBES = 200000, MAX_FOREIGN = 4096 };

/* probe.param: the address of one of these. */
struct usdt {
	int64_t pid; /* 0 for every process */
	struct sym_map map;
	const struct usdt_entry *entry;
	const char *name; /* the entry's name, or another spelling of it */
	bool is_respelt;
	int64_t seen;           /* the process that it was found in; 0 for a file by its path */
	bool is_trusted;        /* of a process of root or our own, or one that was named */
	struct usdt_find *find; /* for reporting what is left out */
	/* One spelling may stand for several probes of one function: these are the others, whose probe is the first
	 * one's. */
	struct usdt *also;
};

struct usdt_scan {
	struct probes *ps;
	const struct provider *pv;
	const struct pdesc *d;
	const char *pattern;     /* of the provider */
	struct usdt_find *found; /* the provider's state */
	unsigned n;              /* probes that were added */
	bool any;
	bool refused; /* a probe that would crash its VM: is_dangerous() */
	/* The process whose probes are added. */
	int64_t pid;
	bool is_trusted;
	bool oom;
	struct why *why;
};

static const char *
field(const struct pdesc *d, unsigned i)
{
	return d->names[i] ? d->names[i] : "";
}

static bool
is_glob(const char *s)
{
	return strpbrk(s, "*?[\\") != NULL;
}

/* usdt, usdt*, usdt1234: returns the pattern for the provider, or NULL if it is another description. */
static const char *
alias(const struct pdesc *d, char *buf, size_t len)
{
	const char *s = field(d, 0);
	if (strncmp(s, "usdt", 4) != 0)
		return NULL;
	s += 4;
	if (!*s || strcmp(s, "*") == 0)
		return "";
	if (strspn(s, "0123456789") != strlen(s))
		return NULL;
	snprintf(buf, len, "*[!0-9]%s", s);
	return buf;
}

static bool
claims(struct probes *ps, const struct pdesc *d)
{
	const char *s = field(d, 0);
	if (!*s) /* everything is asked for, by -l */
		return !*field(d, 1) && !*field(d, 2) && !*field(d, 3) && !probes_erlang(ps);
	if (strncmp(s, "pid", 3) == 0 && isdigit((unsigned char)s[3]))
		return false;
	for (unsigned i = 0; provider_table[i]; i++)
		if (provider_table[i] != &provider_erlang && strcmp(provider_table[i]->name, s) == 0)
			return false;
	/* An attached node has its own erlang probes. */
	return !probes_erlang(ps) || strncmp(s, "erlang", 6) != 0;
}

/* ---- probes ---- */

static bool
is_erlang(const struct usdt_entry *en)
{
	return strcmp(en->provider, "erlang") == 0;
}

/* A probe with this spelling exists already: of this entry, or of another that it also stands for. */
static bool
add_also(
    struct usdt_scan *k, const struct probe *there, const struct usdt_entry *en, int64_t pid, const struct sym_map *map)
{
	struct usdt *u = (struct usdt *)(uintptr_t)there->param;
	for (struct usdt *x = there->pv == k->pv && u->is_respelt && u->entry->file == en->file ? u : NULL; x;
	     x = x->also) {
		if (x->entry == en)
			break;
		if (x->also)
			continue;
		struct usdt *to = AR_NEW(probes_arena(k->ps), struct usdt);
		if (!to) {
			k->oom = true;
			return false;
		}
		*to = (struct usdt){.pid = pid,
		    .map = *map,
		    .entry = en,
		    .name = u->name,
		    .seen = k->pid,
		    .is_trusted = k->is_trusted,
		    .find = k->found};
		to->map.path = en->file->path;
		x->also = to;
		break;
	}
	return true;
}

static bool
add_probe(struct usdt_scan *k, const struct usdt_entry *en, const char *name, const char *module, int64_t pid,
    const struct sym_map *map)
{
	char provider[240];
	if (pid)
		snprintf(provider, sizeof provider, "%s%lld", en->provider, (long long)pid);
	else
		snprintf(provider, sizeof provider, "%s", en->provider);
	const char *const names[4] = {provider, module, en->function, name};
	const struct pdesc exact = {0, {names[0], names[1], names[2], names[3]}};
	bool respelt = name != en->name;
	if (!probe_glob(k->pattern, provider))
		return true;
	const struct probe *there = probes_find(k->ps, &exact);
	if (there)
		return !respelt || add_also(k, there, en, pid, map);
	if (probes_stopped(k->ps))
		return false;
	/* Probes of others are limited already, and must not keep users from their own. */
	k->n += k->is_trusted;
	k->any = true;
	if (k->n > MAX_PROBES) {
		why_set(k->why, "more than %d probes match; name them more closely", MAX_PROBES);
		return false;
	}
	struct usdt *u = AR_NEW(probes_arena(k->ps), struct usdt);
	if (u) {
		*u = (struct usdt){.pid = pid,
		    .map = *map,
		    .entry = en,
		    .seen = k->pid,
		    .is_trusted = k->is_trusted,
		    .find = k->found};
		u->map.path = en->file->path;
	}
	const struct probe *p = u ? probe_add(k->ps, k->pv, names,
					is_erlang(en) ? erlang_usdt_types(k->ps, name) : NULL, (int64_t)(uintptr_t)u)
				  : NULL;
	k->oom |= !p;
	if (!p)
		return false;
	u->name = p->names[3];
	u->is_respelt = respelt;
	return true;
}

/* Returns the name by which a description asks for a probe: its own, or another spelling; NULL if it does not. */
static const char *
asked_name(const struct usdt_scan *k, const struct usdt_entry *en)
{
	const char *asked = field(k->d, 3);
	if (probe_glob(asked, en->name))
		return en->name;
	return is_erlang(en) && erlang_is_alias(en->name, asked) ? asked : NULL;
}

static bool
has_entry(const struct file *f, const char *name)
{
	for (const struct usdt_entry *en = f->entries; en; en = en->next)
		if (is_erlang(en) && strcmp(en->name, name) == 0)
			return true;
	return false;
}

/* Under the JIT of OTP 25, calls of functions fire in a few places of C code only, and there with addresses that may
 * not be those of a function: the VM then crashes. Such a VM has no places for returns, which tells it from one without
 * the JIT. */
static bool
is_dangerous(const struct file *f, const struct usdt_entry *en)
{
	return is_erlang(en) && strcmp(en->name, "global-function-entry") == 0 && !has_entry(f, "function-return");
}

/* "function-entry" stands for local and global calls: of a VM that has only half of it, there is none. */
static bool
is_refused(const struct file *f, const struct usdt_entry *en, const char *name)
{
	if (is_dangerous(f, en))
		return true;
	return is_erlang(en) && name != en->name && strcmp(en->name, "local-function-entry") == 0 &&
	       !has_entry(f, "function-return");
}

static bool
add_file(struct usdt_scan *k, const struct file *f, const char *module, int64_t pid, const struct sym_map *map)
{
	for (const struct usdt_entry *en = f->entries; en; en = en->next) {
		const char *name = probe_glob(field(k->d, 2), en->function) ? asked_name(k, en) : NULL;
		if (name && is_refused(f, en, name)) {
			k->refused = true;
			continue;
		}
		if (name &&
		    (!add_probe(k, en, name, module, 0, map) || (pid && !add_probe(k, en, name, module, pid, map))))
			return false;
	}
	return true;
}

/* Probes of what was found, of one process or of all. */
static bool
add_found(struct usdt_scan *k, int64_t pid)
{
	for (const struct mapped *at = k->found->mapped; at; at = at->next) {
		k->is_trusted = at->is_trusted;
		k->pid = at->pid;
		if ((!pid || at->pid == pid) && probe_glob(field(k->d, 1), at->file->base) &&
		    !add_file(k, at->file, at->file->base, at->pid, &at->map))
			return false;
	}
	return true;
}

static bool
scan_path(struct usdt_scan *k, const char *path)
{
	struct stat st;
	if (stat(path, &st) != 0 || !S_ISREG(st.st_mode)) {
		why_set(k->why, "%s: %s", path, errno == ENOENT ? strerror(errno) : "not a file");
		return true;
	}
	struct sym_map m = {.dev = st.st_dev, .ino = st.st_ino, .path = path};
	const struct file *f = usdt_file(k->found, &m);
	k->is_trusted = true;
	if (!f)
		return false;
	if (!f->entries)
		why_set(k->why, "%s has no USDT probes", path);
	return add_file(k, f, path, 0, &m);
}

/* Whether a description may be about Erlang's VM: erlang, erlang*, erlang1234. */
static bool
asks_erlang(const struct usdt_scan *k)
{
	return strncmp(k->pattern, "erlang", 6) == 0;
}

/* Nothing has these names, in one process or in all: says what was meant, or why there is none. */
static void
explain(struct usdt_scan *k, int64_t pid)
{
	const char *name = field(k->d, 3), *nearest = NULL;
	char text[512];
	if (k->refused) {
		probes_set_hint(k->ps,
		    "a VM with the JIT may crash at this probe, so it is refused: attach to the node, whose tracer gives calls "
		    "of functions (-N NODE -n 'erlang*:MODULE:FUNCTION/ARITY:entry'), or start the VM without the JIT (erl "
		    "-emu_flavor emu)");
		return;
	}
	unsigned most = 0, n = 0;
	const struct usdt_find *files = k->found;
	for (const struct mapped *at = files->mapped; at; at = at->next)
		most += at->file->nentries;
	const char **names = malloc((most + 1) * sizeof *names);
	for (const struct mapped *at = files->mapped; names && at; at = at->next)
		for (const struct usdt_entry *en = at->file->entries; en && n < most; en = en->next) {
			char own[240];
			snprintf(own, sizeof own, "%s%lld", en->provider, (long long)at->pid);
			if ((!pid || at->pid == pid) &&
			    (probe_glob(k->pattern, en->provider) || probe_glob(k->pattern, own)))
				names[n++] = en->name;
		}
	if (n && *name && !is_glob(name))
		nearest = near_miss(name, names, n);
	free(names);
	if (nearest)
		probes_set_near(k->ps, nearest);
	if (nearest || !asks_erlang(k))
		return;
	bool in_tracer = !*name || is_glob(name) || erlang_tracer_has(name);
	const struct vm *v = files->vms;
	while (v && pid && v->pid != pid)
		v = v->next;
	text[0] = '\0';
	if (*field(k->d, 1) && !is_glob(field(k->d, 1)) &&
	    (strcmp(name, "entry") == 0 || strcmp(name, "return") == 0 || strcmp(name, "exception") == 0))
		snprintf(text, sizeof text, "functions of Erlang are probes of a node that is attached to: -N NODE");
	else if (n && erlang_tracer_has(name))
		snprintf(text, sizeof text,
		    "it is not one of the VM's USDT probes; the tracer of a node that is attached to gives it: -N NODE");
	else if (!n && v && !pid && in_tracer)
		snprintf(text, sizeof text,
		    "-l lists the probes; those of an Erlang node are there with -N (the VMs that run here were built "
		    "without USDT probes)");
	else if (!n && v)
		snprintf(text, sizeof text,
		    "the VM of process %lld, %s, was built without USDT probes (configure "
		    "--with-dynamic-trace=systemtap)%s",
		    (long long)v->pid, v->path,
		    in_tracer ? "; attach to the node, whose tracer needs none: -N NODE"
			      : ", and the tracer does not tell of this one");
	if (text[0])
		probes_set_hint(k->ps, text);
}

/* Returns the process that a provider's name ends with, if any. */
static int64_t
trailing_pid(const char *s)
{
	char path[32];
	size_t n = strlen(s), from = n;
	while (from && isdigit((unsigned char)s[from - 1]))
		from--;
	int64_t pid = n - from > 0 && n - from < 10 && from ? strtoll(s + from, NULL, 10) : 0;
	snprintf(path, sizeof path, "/proc/%lld", (long long)pid);
	return pid && access(path, F_OK) == 0 ? pid : 0;
}

static bool
on_demand(struct probes *ps, const struct provider *pv, const struct pdesc *d, struct why *why)
{
	char buf[64];
	const char *other = alias(d, buf, sizeof buf), *module = field(d, 1);
	struct usdt_scan k = {.ps = ps, .pv = pv, .d = d, .pattern = other ? other : field(d, 0), .why = why};
	if (probes_asked(ps, d))
		return true;
	void **state = probes_state(ps, pv);
	if (!*state && !(*state = usdt_find_new(ps)))
		return false;
	k.found = *state;
	if (module[0] == '/' && !is_glob(module)) {
		bool scanned = scan_path(&k, module) && !k.oom;
		if (scanned && k.refused && !k.any)
			explain(&k, 0);
		return scanned;
	}
	int64_t pid = is_glob(field(d, 0)) ? 0 : trailing_pid(field(d, 0));
	bool ok = true;
	if (pid)
		ok = usdt_look(k.found, pid) && add_found(&k, pid);
	if (ok && !k.any)
		ok = usdt_look(k.found, 0) && add_found(&k, 0);
	if (ok && !k.any && *field(d, 0))
		explain(&k, pid);
	return ok && !k.oom;
}

/* ---- running ---- */

/* A probe at a place. */
struct usdt_at {
	const struct usdt *u;
	const struct site *site;
	unsigned probe; /* index */
};

static int
by_place(const void *a, const void *b)
{
	const struct usdt_at *x = a, *y = b;
	const struct file *f = x->u->entry->file, *g = y->u->entry->file;
	if (f->dev != g->dev)
		return f->dev < g->dev ? -1 : 1;
	if (f->ino != g->ino)
		return f->ino < g->ino ? -1 : 1;
	if (x->site->off != y->site->off)
		return x->site->off < y->site->off ? -1 : 1;
	int named = strcmp(x->u->name, y->u->name);
	return named ? named : (x->u->pid > y->u->pid) - (x->u->pid < y->u->pid);
}

static bool
same_file(const struct usdt_at *x, const struct usdt_at *y)
{
	return x->u->entry->file->dev == y->u->entry->file->dev && x->u->entry->file->ino == y->u->entry->file->ino;
}

static bool
same_place(const struct usdt_at *x, const struct usdt_at *y)
{
	return same_file(x, y) && x->site->off == y->site->off && strcmp(x->u->name, y->u->name) == 0;
}

static void
fill_loc(struct rt_loc *to, const struct site *s)
{
	to->nargs = s->nargs;
	for (unsigned i = 0; i < s->nargs; i++) {
		const struct usdt_arg *a = &s->args[i];
		to->args[i] = (struct rt_arg){.kind = a->kind == USDT_CONST ? RT_ARG_CONST
						      : a->kind == USDT_REG ? RT_ARG_REG
						      : a->kind == USDT_MEM ? RT_ARG_MEM
									    : RT_ARG_NONE,
		    .size = a->size,
		    .is_signed = a->is_signed,
		    .shift = a->shift,
		    .base = a->base,
		    .index = a->index,
		    .scale = a->scale,
		    .disp = a->disp};
	}
}

/* An argument that a clause reads but that cannot be read. */
static bool
unreadable(struct engine *e, const struct usdt_at *at, struct why *why)
{
	const struct site *s = at->site;
	for (unsigned i = 0; i < s->nargs; i++)
		if (s->args[i].kind == USDT_NONE && kern_reads_arg(e, at->probe, i)) {
			why_set(why, "arg%u of %s:::%s cannot be read: its place is noted as '%.100s'", i,
			    at->u->entry->provider, at->u->entry->name, s->text);
			return true;
		}
	return false;
}

static int
open_file(const struct usdt *u)
{
	int fd = u->map.start ? proc_open(u->pid ? u->pid : getpid(), &u->map, NULL) : -1;
	struct stat st;
	if (fd < 0 && (fd = open(u->map.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)) >= 0 &&
	    (fstat(fd, &st) != 0 || st.st_ino != u->map.ino)) {
		close(fd);
		fd = -1;
	}
	return fd;
}

struct places {
	struct usdt_at *all;
	unsigned n;
	struct rt_loc *locs;
	struct rt_locpid *keys;
	uint32_t *values;
	struct kern_uprobe *uprobes;
	unsigned nlocs, nkeys;
	int *fds;
	unsigned nfds;
};

/* Probes of others must not keep a script from running, so they are left out. Returns false if it is not somebody
 * else's. */
static bool
leave_out(const struct usdt_at *at, bool is_trusted, struct why *why)
{
	if (is_trusted)
		return false;
	usdt_leave_out(at->u->find, at->u->map.path, at->u->seen, false, why->text);
	why->text[0] = '\0';
	return true;
}

/* Gathers all places, sorted: one uprobe for each, whichever processes it is in. A probe under two spellings has
 * two. */
static bool
gather(struct engine *e, struct places *p, struct why *why)
{
	bool is_trusted = false;
	unsigned foreign = 0;
	int fd = -1;
	for (unsigned i = 0, to; i < p->n; i = to) {
		const struct usdt_at *first = &p->all[i];
		for (to = i + 1; to < p->n && same_place(first, &p->all[to]);)
			to++;
		if (i == 0 || !same_file(first, &p->all[i - 1])) {
			/* Any of its processes may have ended. */
			is_trusted = false;
			fd = -1;
			for (unsigned k = i; k < p->n && same_file(first, &p->all[k]); k++) {
				is_trusted |= p->all[k].u->is_trusted;
				fd = fd < 0 ? open_file(p->all[k].u) : fd;
			}
			if (fd >= 0)
				p->fds[p->nfds++] = fd;
			else {
				why_set(why, "%s: the file is not there any more", first->u->map.path);
				if (!leave_out(first, is_trusted, why))
					return false;
			}
		}
		if (fd < 0)
			continue;
		if (unreadable(e, first, why)) {
			if (!leave_out(first, is_trusted, why))
				return false;
			continue;
		}
		if (!is_trusted && ++foreign > MAX_FOREIGN) {
			if (foreign == MAX_FOREIGN + 1) {
				why_set(why, "other users have more than %d places that match", MAX_FOREIGN);
				leave_out(first, false, why);
			}
			continue;
		}
		bool alone = to == i + 1;
		uint32_t n = p->nlocs++;
		fill_loc(&p->locs[n], first->site);
		p->locs[n].probe = alone ? first->probe + 1 : 0;
		for (unsigned k = i; k < to && !alone; k++) {
			p->keys[p->nkeys] = (struct rt_locpid){n, (uint32_t)p->all[k].u->pid};
			p->values[p->nkeys++] = p->all[k].probe + 1;
		}
		p->uprobes[n] = (struct kern_uprobe){.probe = first->probe,
		    .fd = p->fds[p->nfds - 1],
		    .off = first->site->off,
		    .ref = first->site->ref,
		    .pid = alone ? first->u->pid : 0,
		    .loc = n};
	}
	return true;
}

static bool
start(struct pv_start *s, struct why *why)
{
	struct places p = {0};
	unsigned most = 0;
	for (unsigned i = 0; i < s->nbound; i++)
		for (const struct usdt *u = (const struct usdt *)(uintptr_t)s->bound[i].probe->param; u; u = u->also)
			for (const struct site *at = u->entry->sites; at; at = at->next)
				most++;
	if (!most)
		return true;
	unsigned *probes = malloc(s->nbound * sizeof *probes);
	p.all = malloc(most * sizeof *p.all);
	p.locs = calloc(most, sizeof *p.locs);
	p.keys = malloc(most * sizeof *p.keys);
	p.values = malloc(most * sizeof *p.values);
	p.uprobes = malloc(most * sizeof *p.uprobes);
	p.fds = malloc(most * sizeof *p.fds);
	bool ok = probes && p.all && p.locs && p.keys && p.values && p.uprobes && p.fds;
	if (!ok)
		why_set(why, "out of memory");
	for (unsigned i = 0; ok && i < s->nbound; i++) {
		probes[i] = s->bound[i].index;
		for (const struct usdt *u = (const struct usdt *)(uintptr_t)s->bound[i].probe->param; u; u = u->also)
			for (const struct site *at = u->entry->sites; at; at = at->next)
				p.all[p.n++] = (struct usdt_at){u, at, s->bound[i].index};
	}
	if (ok)
		qsort(p.all, p.n, sizeof *p.all, by_place);
	ok = ok && gather(s->engine, &p, why);
	struct kern_usdt all = {.uprobes = p.uprobes,
	    .locs = p.locs,
	    .n = p.nlocs,
	    .probes = probes,
	    .nprobes = s->nbound,
	    .keys = p.keys,
	    .values = p.values,
	    .nkeys = p.nkeys};
	ok = ok && kern_attach_usdt(s->engine, &all, why);
	while (p.nfds)
		close(p.fds[--p.nfds]);
	free(probes);
	free(p.all);
	free(p.locs);
	free(p.keys);
	free(p.values);
	free(p.uprobes);
	free(p.fds);
	return ok;
}

const struct provider provider_usdt = {.name = "usdt",
    .on_demand = on_demand,
    .claims = claims,
    .alias = alias,
    .kernel = true,
    .start = start,
    .stability = "Evolving/Evolving/ISA"};
