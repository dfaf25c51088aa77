/*
 * The pid provider: pidPID:MODULE:FUNCTION:entry, :return, and :OFFSET, an instruction by its hexadecimal distance from
 * the function's beginning. MODULE is the name of a file that is mapped with code, or a.out for the program itself.
 * FUNCTION - stands for no function: then the offset is an address in the process.
 *
 * A module that is a path (in quotes) names a file that the process may map only later. The kernel puts the breakpoints
 * in when it does, before any of its code runs.
 *
 * Probes are made as descriptions ask for them, from the mappings of the process and the symbols of the files. A
 * process that -c holds back is first brought to its program's entry (probes_ready), when its libraries are loaded.
 *
 * entry: arg0 … arg9 are the arguments as integers. return: arg1 is the value; arg0 is 0, because the kernel does not
 * tell from which instruction the function returned.
 */
#include "arch/arch.h"
#include "arch/code.h"
#include "engine/kernel/kern.h"
#include "provider/provider.h"
#include "sym/slow.h"
#include "sym/syms.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/stat.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { MAX_PROBES = 200000, MAX_CODE = 1 << 20 };

/* probe.param: the address of one of these, which lives with the probes. */
struct code_place {
	int64_t pid;
	enum kern_place kind;
	uint64_t off;              /* in the file */
	const struct sym_map *map; /* a mapping of the file */
};

/* A file that the process has mapped with code. */
struct module {
	struct module *next;
	struct sym_map map;
	const char *base;
	bool is_program;
};

struct making {
	struct probes *ps;
	const struct provider *pv;
	const struct pdesc *d;
	int64_t pid;
	struct module *modules;
	uint64_t program; /* inode */
	struct budget budget;
	unsigned n;
	bool oom;
	bool found; /* the function */
	struct why *why;
};

static bool
is_glob(const char *s)
{
	return !*s || strpbrk(s, "*?[\\") != NULL;
}

static const char *
field(const struct pdesc *d, unsigned i)
{
	return d->names[i] ? d->names[i] : "";
}

/* Sets the reason why there is no such probe, with DTrace's tag. */
#define REFUSE(k, tag, ...) (probes_set_tag((k)->ps, tag), why_set((k)->why, __VA_ARGS__))

static bool
claims(struct probes *ps, const struct pdesc *d)
{
	const char *s = field(d, 0);
	(void)ps;
	return strncmp(s, "pid", 3) == 0 && (!s[3] || isdigit((unsigned char)s[3]) || strchr("*?[", s[3]));
}

static bool
add_module(void *arg, const struct sym_map *m)
{
	struct making *k = arg;
	struct arena *ar = probes_arena(k->ps);
	if (m->ino == 0)
		return true;
	for (struct module *o = k->modules; o; o = o->next)
		if (o->map.ino == m->ino && o->map.dev == m->dev)
			return true;
	struct module *o = AR_NEW(ar, struct module);
	char *path = o ? ar_strndup(ar, m->path, strlen(m->path)) : NULL;
	if (!path) {
		k->oom = true;
		return false;
	}
	const char *slash = strrchr(path, '/');
	*o = (struct module){
	    .next = k->modules, .map = *m, .base = slash ? slash + 1 : path, .is_program = m->ino == k->program};
	o->map.path = path;
	k->modules = o;
	return true;
}

static bool
add_probe(struct making *k, const struct module *m, const char *module, const char *function, const char *name,
    enum kern_place kind, uint64_t off)
{
	char provider[32];
	snprintf(provider, sizeof provider, "pid%lld", (long long)k->pid);
	const char *const names[4] = {provider, module, function, name};
	const struct pdesc exact = {0, {names[0], names[1], names[2], names[3]}};
	if (probes_has(k->ps, &exact))
		return true;
	if (probes_stopped(k->ps))
		return false;
	if (++k->n > MAX_PROBES) {
		why_set(k->why, "more than %d functions match; name them more closely", MAX_PROBES);
		return false;
	}
	struct code_place *p = AR_NEW(probes_arena(k->ps), struct code_place);
	if (p)
		*p = (struct code_place){k->pid, kind, off, &m->map};
	k->oom = !p || !probe_add(k->ps, k->pv, names, NULL, (int64_t)(uintptr_t)p);
	return !k->oom;
}

/* Whether an instruction begins at the offset, by the function's code in the file. */
static bool
is_instruction(int fd, uint64_t fileoff, uint64_t at)
{
	if (at == 0)
		return true;
	if (at >= MAX_CODE)
		return false;
	uint8_t *code = malloc((size_t)at + 16);
	ssize_t n = code ? pread(fd, code, (size_t)at + 16, (off_t)fileoff) : -1;
	bool ok = n > 0 && ARCH_CODE.begins(code, (size_t)n, (size_t)at);
	free(code);
	return ok;
}

/* An offset or an address: hexadecimal, all of it. */
static bool
parse_hex(const char *s, uint64_t *v)
{
	char *end;
	if (!isxdigit((unsigned char)*s))
		return false;
	errno = 0;
	*v = strtoull(s, &end, 16);
	return !*end && errno == 0;
}

static bool
add_function(
    struct making *k, const struct module *m, const char *module, int fd, const struct elf *e, const struct elf_sym *s)
{
	const char *name = field(k->d, 3), *function = elf_name(e, s);
	uint64_t off, at;
	if (!elf_off_of(e, s->addr, &off))
		return true;
	if (probe_glob(name, "entry") && !add_probe(k, m, module, function, "entry", KP_UENTRY, off))
		return false;
	if (probe_glob(name, "return") && !add_probe(k, m, module, function, "return", KP_URETURN, off))
		return false;
	if (is_glob(name) || strcmp(name, "entry") == 0 || strcmp(name, "return") == 0)
		return true;
	if (!parse_hex(name, &at)) {
		probes_set_tag(k->ps, "D_PROC_NAME");
		probes_set_hint(k->ps, "the names are entry, return, and the offset of an instruction in hexadecimal");
		return true;
	}
	if (at >= (s->size ? s->size : 1))
		REFUSE(k, "D_PROC_OFF", "%s`%s is %llu bytes long: there is no instruction at offset %s", module,
		    function, (unsigned long long)s->size, name);
	else if (!is_instruction(fd, off, at))
		REFUSE(k, "D_PROC_ALIGN", "no instruction of %s`%s begins at offset %s", module, function, name);
	else
		return add_probe(k, m, module, function, name, KP_UOFFSET, off + at);
	return true;
}

static bool
add_functions(struct making *k, const struct module *m, const char *module)
{
	const char *function = field(k->d, 2);
	bool all = is_glob(function), chosen = false, found = false, ok = true;
	struct why why;
	struct elf e;
	uint64_t last = UINT64_MAX;
	struct spending sp = spend_begin(&k->budget);
	int fd = proc_open(k->pid, &m->map, &sp);
	bool any = fd >= 0 && proc_elf(&e, k->pid, fd, ELF_SYMS, &sp, &why);
	if (sp.over)
		why_set(k->why, "%s: %s", m->map.path, sp.over);
	if (!any) {
		if (fd >= 0)
			slow_close(&sp, fd);
		spend_end(&sp);
		return true;
	}
	for (size_t i = 0; ok && i < e.nsyms; i++) {
		const struct elf_sym *s = &e.syms[i];
		if (!(all ? probe_glob(function, elf_name(&e, s)) : strcmp(function, elf_name(&e, s)) == 0))
			continue;
		chosen |= s->kind == ELF_IFUNC;
		/* If a function has several names, a pattern finds only the best. */
		if (s->kind != ELF_FUNC || (all && s->addr == last))
			continue;
		last = s->addr;
		found = true;
		ok = add_function(k, m, module, fd, &e, s);
	}
	if (chosen && !found && !all)
		REFUSE(k, "D_PROC_FUNC",
		    "%s`%s is chosen from several when the program starts: name the one that is used, such as by a "
		    "pattern (*%s*)",
		    module, function, function);
	k->found |= found;
	elf_free(&e);
	slow_close(&sp, fd);
	spend_end(&sp);
	return ok;
}

/* libc for libc.so.6, as in DTrace. */
static bool
is_short_name(const char *module, const char *base)
{
	size_t n = strlen(module);
	return n && strncmp(base, module, n) == 0 && strncmp(base + n, ".so", 3) == 0;
}

struct at_address {
	struct making *k;
	uint64_t addr;
	const char *module;
	bool found;
};

static bool
find_address(void *arg, const struct sym_map *map)
{
	struct at_address *a = arg;
	struct making *k = a->k;
	if (a->addr < map->start || a->addr >= map->end)
		return true;
	for (const struct module *m = k->modules; m; m = m->next) {
		const char *module = field(k->d, 1);
		if (m->map.ino != map->ino || m->map.dev != map->dev)
			continue;
		bool program = m->is_program && strcmp(module, "a.out") == 0;
		if (!program && !probe_glob(module, m->base))
			continue;
		/* Inside a function it must be where an instruction begins; without a symbol this cannot be checked. */
		uint64_t off = map->off + (a->addr - map->start), fileaddr, start;
		struct elf e;
		struct why why;
		bool fits = true;
		struct spending sp = spend_begin(&k->budget);
		int fd = proc_open(k->pid, map, &sp);
		if (fd >= 0 && proc_elf(&e, k->pid, fd, ELF_SYMS, &sp, &why)) {
			const struct elf_sym *s = elf_addr_of(&e, off, &fileaddr) ? elf_find(&e, fileaddr) : NULL;
			if (s && elf_off_of(&e, s->addr, &start))
				fits = is_instruction(fd, start, fileaddr - s->addr);
			elf_free(&e);
		}
		if (fd >= 0)
			slow_close(&sp, fd);
		spend_end(&sp);
		a->found = true;
		if (!fits) {
			REFUSE(k, "D_PROC_ALIGN", "no instruction begins at address %s", field(k->d, 3));
			return false;
		}
		return add_probe(k, m, program ? "a.out" : m->base, "-", field(k->d, 3), KP_UOFFSET, off) && false;
	}
	return true;
}

static bool
add_address(struct making *k)
{
	struct at_address a = {.k = k};
	if (!parse_hex(field(k->d, 3), &a.addr)) {
		REFUSE(k, "D_PROC_NAME",
		    "with function - the name is an address in hexadecimal, such as pid%lld::-:401136",
		    (long long)k->pid);
		return true;
	}
	proc_maps(k->pid, NULL, find_address, &a);
	if (a.found || k->oom)
		return true;
	const char *module = field(k->d, 1);
	bool is_program = !*module || strcmp(module, "a.out") == 0;
	REFUSE(k, is_program ? "D_PROC_OFF" : "D_PROC_LIB", "process %lld has no code at address %s%s%s",
	    (long long)k->pid, field(k->d, 3), is_program ? "" : " in ", is_program ? "" : module);
	return true;
}

/* A file by its path, as the process sees it, mapped or not. */
static bool
add_path(struct making *k, const char *path)
{
	char inside[4200];
	struct stat st;
	struct elf e;
	struct why why = {"not a file"};
	snprintf(inside, sizeof inside, "/proc/%lld/root%s", (long long)k->pid, path);
	if (stat(inside, &st) != 0) {
		why_set(k->why, "%s: %s", path, strerror(errno));
		return true;
	}
	struct sym_map m = {.dev = st.st_dev, .ino = st.st_ino, .path = path};
	struct spending sp = spend_begin(&k->budget);
	int fd = S_ISREG(st.st_mode) ? proc_open(k->pid, &m, &sp) : -1;
	bool ok = fd >= 0 && elf_read_fd(&e, fd, 0, &sp, &why);
	if (ok)
		elf_free(&e);
	if (fd >= 0)
		slow_close(&sp, fd);
	spend_end(&sp);
	if (!ok) {
		why_set(k->why, "%s: %s", path, why.text);
		return true;
	}
	k->modules = NULL;
	return add_module(k, &m) && (!k->modules || add_functions(k, k->modules, k->modules->map.path));
}

/* Lists are kept newest first, so that adding is cheap. Probes come in the order of the mappings. */
static struct module *
reverse(struct module *m)
{
	struct module *all = NULL, *next;
	for (; m; m = next) {
		next = m->next;
		m->next = all;
		all = m;
	}
	return all;
}

static bool
is_ended(void *arg)
{
	return probes_stopped(arg);
}

/* Adds the probes of the process that the description means. Returns false if there is no memory. */
static bool
look(struct making *k)
{
	char exe[64];
	const char *module = field(k->d, 1);
	struct statx st;
	snprintf(exe, sizeof exe, "/proc/%lld/exe", (long long)k->pid);
	/* What the kernel knows about it, without asking the server of its file system. (Not every C library has
	 * statx().) */
	if (syscall(SYS_statx, AT_FDCWD, exe, AT_STATX_DONT_SYNC, STATX_INO, &st) == 0)
		k->program = st.stx_ino;
	int err = proc_maps(k->pid, NULL, add_module, k);
	k->modules = reverse(k->modules);
	if (err || !k->modules) {
		if (!k->oom)
			REFUSE(k, "D_PROC_GRAB", "process %lld: %s", (long long)k->pid,
			    err == ENOENT            ? "there is no such process"
			    : err                    ? strerror(err)
			    : access(exe, F_OK) == 0 ? "it has no code of its own: is it of the kernel?"
						     : "it has ended");
		return !k->oom;
	}
	if (module[0] == '/' && !is_glob(module))
		return add_path(k, module) && !k->oom;
	if (strcmp(field(k->d, 2), "-") == 0)
		return add_address(k) && !k->oom;
	bool ok = true, asked = false;
	for (struct module *m = k->modules; ok && m; m = m->next) {
		const char *shown = m->is_program && strcmp(module, "a.out") == 0 ? "a.out"
				    : probe_glob(module, m->base)                 ? m->base
				    : is_short_name(module, m->base)              ? module
										  : NULL;
		asked |= shown != NULL;
		ok = !shown || add_functions(k, m, shown);
	}
	/* In a named module the function is missing; otherwise the whole probe is. */
	if (ok && asked && !k->found && !is_glob(module) && !is_glob(field(k->d, 2)))
		probes_set_tag(k->ps, "D_PROC_FUNC");
	return ok && !k->oom;
}

static bool
on_demand(struct probes *ps, const struct provider *pv, const struct pdesc *d, struct why *why)
{
	char *end;
	const char *digits = field(d, 0) + 3;
	bool is_number = isdigit((unsigned char)*digits);
	long long pid = is_number ? strtoll(digits, &end, 10) : 0;
	if (pid <= 0 || *end) {
		if (is_number && !*end)
			probes_set_tag(ps, "D_PROC_BADPID");
		why_set(why,
		    "probes of the pid provider are in one process: pid1234:%s:%s:%s, or pid$target with -p or -c",
		    field(d, 1), field(d, 2), field(d, 3));
		return true;
	}
	if (probes_asked(ps, d))
		return true;
	probes_ready(ps, pid);
	struct making k = {.ps = ps, .pv = pv, .d = d, .pid = pid, .budget = budget_large(), .why = why};
	k.budget.stopped = is_ended;
	k.budget.arg = ps;
	if (!(k.budget.slow = slow_new()))
		return false;
	bool ok = look(&k);
	slow_free(k.budget.slow);
	return ok;
}

/* ---- running ---- */

struct opened_file {
	const struct sym_map *map;
	int fd;
};

static int
by_file(const void *a, const void *b)
{
	const struct pv_bound *x = a, *y = b;
	const struct code_place *p = (const struct code_place *)(uintptr_t)x->probe->param,
				*q = (const struct code_place *)(uintptr_t)y->probe->param;
	/* Returns are attached first, so that an entry that is seen also has its return seen. */
	int later = (p->kind != KP_URETURN) - (q->kind != KP_URETURN);
	if (p->kind != q->kind)
		return later ? later : (int)p->kind - (int)q->kind;
	if (p->pid != q->pid)
		return p->pid < q->pid ? -1 : 1;
	if (p->map->ino != q->map->ino)
		return p->map->ino < q->map->ino ? -1 : 1;
	return (x->index > y->index) - (x->index < y->index);
}

/* Attaches all bound probes of one kind. Returns their number. */
static unsigned
attach_file(
    struct engine *e, const struct pv_bound *bound, unsigned n, struct kern_uprobe *u, bool *ok, struct why *why)
{
	const struct code_place *first = (const struct code_place *)(uintptr_t)bound[0].probe->param, *before = NULL;
	unsigned k = 0;
	int fd = -1;
	for (; k < n; k++) {
		const struct code_place *p = (const struct code_place *)(uintptr_t)bound[k].probe->param;
		if (p->kind != first->kind)
			break;
		if (!before || p->pid != before->pid || p->map->ino != before->map->ino ||
		    p->map->dev != before->map->dev)
			fd = proc_open(p->pid, p->map, NULL);
		before = p;
		if (fd < 0 && *ok) {
			why_set(why, "%s: %s", p->map->path,
			    errno == EMFILE ? "too many open files"
					    : "the file is not there any more, or the process has ended");
			*ok = false;
		}
		u[k] = (struct kern_uprobe){.probe = bound[k].index, .fd = fd, .off = p->off, .pid = p->pid};
	}
	if (*ok)
		*ok = kern_attach_uprobes(e, first->kind, u, k, why);
	for (unsigned i = 0; i < k; i++)
		if (u[i].fd >= 0 && (i == 0 || u[i].fd != u[i - 1].fd))
			close(u[i].fd);
	return k;
}

static bool
start(struct pv_start *s, struct why *why)
{
	struct pv_bound *mine = malloc((size_t)s->nbound * sizeof *mine);
	struct kern_uprobe *u = malloc((size_t)s->nbound * sizeof *u);
	bool ok = mine && u;
	if (ok) {
		memcpy(mine, s->bound, s->nbound * sizeof *mine);
		qsort(mine, s->nbound, sizeof *mine, by_file);
	}
	for (unsigned i = 0; ok && i < s->nbound;)
		i += attach_file(s->engine, mine + i, s->nbound - i, u, &ok, why);
	free(mine);
	free(u);
	return ok;
}

const struct provider provider_pid = {.name = "pid",
    .on_demand = on_demand,
    .claims = claims,
    .kernel = true,
    .start = start,
    .stability = "Evolving/Evolving/ISA"};
