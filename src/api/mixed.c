/* See mixed.h. */
#include "api/mixed.h"

#if defined ET_WITH_EI && defined ET_WITH_KERNEL
#include "base/clock.h"
#include "engine/kernel/kernel.h"
#include "node/node.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum { STATUS_NS = 200000000 }; /* how often the node is asked how it is */

struct mixed {
	struct engine *node; /* the half there: engine_node */
	struct node_places at;
	struct kern_node seen;
	unsigned *probes;  /* erlang probes, by the number of the node's half: the kernel engine's index */
	uint32_t *numbers; /* … and what the node calls them */
	uint64_t asked;    /* ns: when its status was asked for */
	struct eng_status status;
	char *notes; /* of both */
};

struct looked_at {
	bool kernel, samples; /* probes of the kernel; profile-N */
};

static void
look_at_probe(void *arg, const struct probe *p)
{
	struct looked_at *l = arg;
	l->kernel |= p->pv->kernel;
	l->samples |= p->pv == &provider_profile && p->param < 0;
}

/* Returns whether a clause shows stacks of the kernel and of the program side by side. In a node both would be the
 * stack of the Erlang process. */
static bool
has_both_stacks(const struct dobj *o, const struct dobj_clause *c)
{
	unsigned kinds = 0;
	for (uint32_t i = 0; i < c->ncode; i++) {
		const struct dif_insn *in = &o->code[c->code + i];
		for (uint32_t k = 0; in->op == DIF_AGG && k < o->aggs[in->imm].nkeys; k++)
			kinds |= 1u << o->keys[o->aggs[in->imm].key + k].kind;
	}
	for (uint32_t g = 0; g < c->ngroups; g++)
		for (uint32_t f = 0; f < o->groups[c->group + g].nfields; f++)
			kinds |= 1u << o->fields[o->groups[c->group + g].field + f].kind;
	return kinds & 1u << DK_STACK && kinds & 1u << DK_USTACK;
}

bool
mixed_is(struct et *h)
{
	bool kernel = h->opts.num[OPT_ENGINE] == ET_ENGINE_KERNEL, stacks = false;
	struct why why;
	if (!h->node || h->opts.num[OPT_ENGINE] == ET_ENGINE_USER)
		return false;
	for (struct et_prog *p = h->progs; p; p = p->next)
		for (unsigned i = 0; p->enabled && i < p->nclauses; i++) {
			struct looked_at l = {false, false};
			api_clause_probes(h, &h->obj, p->clause + i, look_at_probe, &l);
			kernel |= l.kernel;
			stacks |= l.samples && has_both_stacks(&h->obj, &h->obj.clauses[p->clause + i]);
		}
	/* without the right, or elsewhere, the node shows what it knows */
	return kernel || (stacks && h->node->is_local && !h->confined && kern_is_permitted(&why));
}

/* Returns a descriptor of the file that is mapped at an address of the process, and where in it that is; -1 if none. */
static int
open_mapped(int64_t pid, uint64_t at, uint64_t *off)
{
	char path[64], line[4600];
	unsigned long long from, to, begin;
	int fd = -1;
	snprintf(path, sizeof path, "/proc/%lld/maps", (long long)pid);
	FILE *f = fopen(path, "re");
	while (f && fd < 0 && fgets(line, sizeof line, f)) {
		if (sscanf(line, "%llx-%llx %*s %llx", &from, &to, &begin) != 3 || at < from || at >= to)
			continue;
		/* The file may have been removed: the mapping leads to it still. */
		snprintf(path, sizeof path, "/proc/%lld/map_files/%llx-%llx", (long long)pid, from, to);
		fd = open(path, O_RDONLY | O_CLOEXEC);
		*off = at - from + begin;
		if (fd < 0)
			break;
	}
	if (f)
		fclose(f);
	return fd;
}

/* The number of a process means nothing if the node is on another machine or in another name space, so its memory must
 * have the key that we sent. */
static bool
is_here(const struct mixed *m, int64_t pid)
{
	uint64_t key = 0;
	struct iovec to = {&key, sizeof key}, from = {(void *)(uintptr_t)m->at.key, sizeof key};
	return process_vm_readv((pid_t)pid, &to, 1, &from, 1, 0) == sizeof key && key == m->seen.key;
}

static int
find_site(struct et *h, struct mixed *m)
{
	int64_t pid = h->node->os_pid;
	if (!node_places(m->node, &m->at))
		return api_fail(
		    h, ET_EENGINE, "node %s: its part of erltrace tells no place for events", h->node->name);
	if (!is_here(m, pid))
		return api_fail(h, ET_EENGINE,
		    "node %s is not a process of this machine that the kernel engine can see: run the script there, or "
		    "without the probes of the kernel",
		    h->node->name);
	m->seen.fd = open_mapped(pid, m->at.site, &m->seen.off);
	if (m->seen.fd < 0)
		return api_fail(h, ET_EENGINE, "the library in node %s cannot be reached (/proc/%lld/map_files): %s",
		    h->node->name, (long long)pid, strerror(errno));
	m->seen.pid = pid;
	m->seen.threads = m->at.threads;
	m->seen.name = m->at.name;
	return 0;
}

/* Gives the map of threads to the node, through the socket that its library has made for that. If it does not work, the
 * programs read the node's memory. */
static void
give_map(const struct mixed *m, int64_t pid)
{
	union {
		struct cmsghdr head;
		char room[CMSG_SPACE(sizeof(int))];
	} control;
	char byte = 0;
	struct iovec data = {&byte, 1};
	struct msghdr msg = {
	    .msg_iov = &data, .msg_iovlen = 1, .msg_control = control.room, .msg_controllen = sizeof control.room};
	if (m->seen.seen < 0 || m->at.socket == 0 || m->at.socket > INT_MAX)
		return;
	int process = (int)syscall(SYS_pidfd_open, (pid_t)pid, 0);
	int to = process >= 0 ? (int)syscall(SYS_pidfd_getfd, process, (int)(m->at.socket - 1), 0) : -1;
	if (process >= 0)
		close(process);
	if (to < 0)
		return;
	memset(&control, 0, sizeof control);
	control.head =
	    (struct cmsghdr){.cmsg_len = CMSG_LEN(sizeof(int)), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS};
	memcpy(CMSG_DATA(&control.head), &m->seen.seen, sizeof m->seen.seen);
	/* The command took its own copy of the node's other end, so this arrives at the node. */
	sendmsg(to, &msg, MSG_DONTWAIT | MSG_NOSIGNAL);
	close(to);
}

int
mixed_open(struct et *h, const struct eng_conf *c)
{
	struct why why = {""};
	struct eng_conf conf = *c;
	struct mixed *m = calloc(1, sizeof *m);
	if (!m)
		return api_fail(h, ET_ENOMEM, "out of memory");
	h->mixed = m;
	m->seen.fd = -1;
	while (!m->seen.key)
		if (getrandom(&m->seen.key, sizeof m->seen.key, 0) < 0)
			m->seen.key = mono_ns();
	conf.forward = m->seen.key;
	conf.link = h->node;
	if (!(m->node = engine_node.create(&h->obj, &conf, &why)))
		return api_fail(h, ET_EENGINE, "%s", why.text);
	if (find_site(h, m) != 0)
		return -1;
	m->seen.half = m->node;
	m->seen.half_ops = &engine_node;
	kern_know_node(h->engine, &m->seen);
	give_map(m, m->seen.pid);
	h->ops = &engine_kernel_node;
	return 0;
}

bool
mixed_bind(struct et *h, const struct probe *p, unsigned index, unsigned clause)
{
	struct mixed *m = h->mixed;
	if (!m || p->pv != &provider_erlang)
		return true;
	int at = engine_node.bind(m->node, p->id, p->names, clause);
	if (at < 0)
		return false;
	if ((unsigned)at < m->seen.n)
		return true;
	unsigned *grown = realloc(m->probes, ((unsigned)at + 1) * sizeof *grown);
	if (!grown)
		return false;
	m->probes = grown;
	m->probes[at] = index;
	m->seen.n = (unsigned)at + 1;
	return true;
}

/* Then the end of a process is an event too, because its variables must go. */
static bool
has_self(const struct dobj *o)
{
	for (uint32_t i = 0; i < o->nvars; i++)
		if (o->vars[i].scope == DS_THREAD)
			return true;
	return false;
}

int
mixed_go(struct et *h)
{
	struct mixed *m = h->mixed;
	struct why why = {""};
	if (!m)
		return 0;
	if (!engine_node.start(m->node, &why))
		return api_fail(h, ET_EENGINE, "%s", why.text);
	if (!(m->numbers = calloc(m->seen.n + 1, sizeof *m->numbers)))
		return api_fail(h, ET_ENOMEM, "out of memory");
	for (unsigned i = 0; i < m->seen.n; i++)
		m->numbers[i] = node_number(m->node, i) + 1;
	m->seen.probes = m->probes;
	m->seen.numbers = m->numbers;
	if ((m->seen.n || has_self(&h->obj)) && !kern_attach_node(h->engine, &m->seen, &why))
		return api_fail(h, ET_EPROVIDER, "the erlang provider could not be started: %s", why.text);
	if (!engine_node.go(m->node, &why))
		return api_fail(h, ET_EPROVIDER, "%s", why.text);
	return 0;
}

void
mixed_stop(struct et *h)
{
	if (h->mixed)
		engine_node.stop(h->mixed->node);
}

void
mixed_close(struct et *h)
{
	struct mixed *m = h->mixed;
	if (!m)
		return;
	if (m->node)
		engine_node.destroy(m->node);
	if (m->seen.fd >= 0)
		close(m->seen.fd);
	free(m->probes);
	free(m->numbers);
	free(m->notes);
	free(m);
	h->mixed = NULL;
}

/* Notes do not change once tracing has begun. */
static const char *
notes_of_both(struct mixed *m, const char *kernel)
{
	const char *node = m->status.notes;
	if (!node || !kernel)
		return node ? node : kernel;
	if (!m->notes && asprintf(&m->notes, "%s\n%s", kernel, node) < 0)
		m->notes = NULL;
	return m->notes ? m->notes : kernel;
}

void
mixed_status(struct et *h, struct eng_status *st)
{
	struct mixed *m = h->mixed;
	uint64_t now;
	if (!m || !m->node)
		return;
	if (h->state == HS_GOING && (now = mono_ns()) - m->asked >= STATUS_NS) {
		m->asked = now;
		engine_node.status(m->node, &m->status);
	}
	st->lost = m->status.lost;
	st->ended = m->status.ended;
	st->drops[ENG_DROP_TERM] += m->status.drops[ENG_DROP_TERM];
	st->notes = notes_of_both(m, st->notes);
}

#else

bool
mixed_is(struct et *h)
{
	(void)h;
	return false;
}

int
mixed_open(struct et *h, const struct eng_conf *c)
{
	(void)c;
	return api_fail(h, ET_EENGINE, "this erltrace was built without the kernel engine or without Erlang");
}

bool
mixed_bind(struct et *h, const struct probe *p, unsigned index, unsigned clause)
{
	(void)h;
	(void)p;
	(void)index;
	(void)clause;
	return true;
}

int
mixed_go(struct et *h)
{
	(void)h;
	return 0;
}

void
mixed_stop(struct et *h)
{
	(void)h;
}

void
mixed_close(struct et *h)
{
	(void)h;
}

void
mixed_status(struct et *h, struct eng_status *st)
{
	(void)h;
	(void)st;
}

#endif
