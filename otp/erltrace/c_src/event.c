/* See event.h. */
#include "event.h"

#include "text.h"

#include <string.h>
#include <time.h>

uint64_t
ev_clock(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* Text into the shard's room, cut where it ends. */
static char *
text_room(struct shard *s, size_t *room)
{
	*room = HUB_TEXT - s->text_used;
	if (*room > HUB_ARGTEXT)
		*room = HUB_ARGTEXT;
	return s->text + s->text_used;
}

static size_t
mfa_text(struct event *ev, ERL_NIF_TERM t, char *buf, size_t size, const char **known)
{
	const ERL_NIF_TERM *e;
	int n;
	unsigned arity;
	*known = NULL;
	buf[0] = '\0';
	if (!enif_get_tuple(ev->env, t, &n, &e) || n != 3)
		return 0;
	if (!enif_get_uint(ev->env, e[2], &arity) && !enif_get_list_length(ev->env, e[2], &arity))
		return 0;
	struct mfa *m = mfa_get(ev->hub->mfas, ev->env, e[0], e[1], arity);
	if (!m)
		return text_mfa(ev->env, e[0], e[1], arity, buf, size);
	*known = m->text;
	return m->len;
}

/* Local pids and atoms are words that mean the same for as long as the VM runs, so their text is kept. */
static void
leaf_text(struct event *ev, unsigned n)
{
	ERL_NIF_TERM t = ev->arg[n].term;
	ErlNifPid pid;
	struct leaf *l = &ev->shard->leaves[(t >> 4) % HUB_LEAVES];
	if (l->term != t) {
		if (!enif_get_local_pid(ev->env, t, &pid) && !enif_is_atom(ev->env, t))
			return;
		char text[HUB_LEAFTEXT + 8];
		size_t len = text_term(ev->env, t, text, sizeof text);
		if (len >= HUB_LEAFTEXT)
			return;
		l->term = t;
		l->len = (uint8_t)len;
		memcpy(l->text, text, len + 1);
	}
	ev->arg[n].text = l->text;
	ev->arg[n].len = (size_t)l->len + 1;
}

static int
arg_memory(struct firing *f, unsigned n, const void **mem, size_t *len)
{
	struct event *ev = (struct event *)f;
	if (n >= 10 || !(ev->has & 1u << n) || ev->arg[n].how == EV_NUMBER)
		return DIF_FAULT_BADADDR;
	if (!ev->arg[n].text && ev->arg[n].how == EV_TERM)
		leaf_text(ev, n);
	if (!ev->arg[n].text) {
		size_t room, used = 0;
		const char *known = NULL;
		char *buf = text_room(ev->shard, &room);
		if (room < 64)
			return DIF_FAULT_NOSCRATCH;
		switch (ev->arg[n].how) {
		case EV_REASON: used = text_reason(ev->env, ev->arg[n].term, buf, room); break;
		case EV_MFA: used = mfa_text(ev, ev->arg[n].term, buf, room, &known); break;
		case EV_TERM:
		default: used = text_term(ev->env, ev->arg[n].term, buf, room); break;
		}
		ev->arg[n].text = known ? known : buf;
		ev->arg[n].len = used + 1;
		if (!known)
			ev->shard->text_used += used + 1;
	}
	*mem = ev->arg[n].text;
	*len = ev->arg[n].len;
	return 0;
}

/* The process as text, apart from the arguments. */
static int
process_text(struct event *ev, const void **mem, size_t *len)
{
	size_t room;
	char *buf = text_room(ev->shard, &room);
	if (room < 64)
		return DIF_FAULT_NOSCRATCH;
	size_t used = ev->tracee ? text_term(ev->env, ev->tracee, buf, room) : 0;
	if (!used)
		buf[0] = '\0';
	ev->shard->text_used += used + 1;
	*mem = buf;
	*len = used + 1;
	return 0;
}

/* What only the VM knows; the engine has the rest (DIF_FAULT_ILLOP: ask it). */
static int
builtin(struct firing *f, enum dif_builtin id, uint64_t index, uint64_t *num, const void **mem, size_t *len)
{
	struct event *ev = (struct event *)f;
	(void)index;
	switch (id) {
	case DIF_BI_NODE:
		*mem = ev->hub->node;
		*len = ev->hub->nodelen + 1;
		return 0;
	case DIF_BI_EPROC: return process_text(ev, mem, len);
	case DIF_BI_VTIMESTAMP:
		if (!ev->tracee)
			return DIF_FAULT_ILLOP;
		*num = procs_ran(ev->hub->procs, ev->tracee, ev_clock());
		return 0;
	default: return DIF_FAULT_ILLOP;
	}
}

static const struct firing_ops ops = {.builtin = builtin, .argmem = arg_memory};

void
ev_init(struct event *ev, struct hub *h, struct shard *s, unsigned shard, ErlNifEnv *env, ERL_NIF_TERM tracee)
{
	memset(&ev->f, 0, sizeof ev->f);
	ev->has = 0;
	ev->f.shard = shard;
	ev->f.thread = tracee ? tracee : UINT64_MAX;
	ev->f.ops = &ops;
	ev->hub = h;
	ev->shard = s;
	ev->env = env;
	ev->tracee = tracee;
	s->text_used = 0;
	s->events++;
}

void
ev_again(struct event *ev)
{
	ev->has = 0;
	memset(ev->f.args, 0, sizeof ev->f.args);
	ev->f.nargs = 0;
}

static void
set(struct event *ev, unsigned n, uint64_t value)
{
	ev->f.args[n] = value;
	ev->has |= 1u << n;
	if (ev->f.nargs <= (int)n)
		ev->f.nargs = (int)n + 1;
}

void
ev_num(struct event *ev, unsigned n, uint64_t value)
{
	ev->arg[n].how = EV_NUMBER;
	set(ev, n, value);
}

void
ev_text(struct event *ev, unsigned n, enum ev_how how, ERL_NIF_TERM term)
{
	ev->arg[n].how = how;
	ev->arg[n].term = term;
	ev->arg[n].text = NULL;
	set(ev, n, DIF_ADDR(DIF_R_ARG, (uint64_t)n << 40));
}

void
ev_static(struct event *ev, unsigned n, const char *text, size_t len)
{
	ev->arg[n].how = EV_STATIC;
	ev->arg[n].text = text;
	ev->arg[n].len = len + 1;
	set(ev, n, DIF_ADDR(DIF_R_ARG, (uint64_t)n << 40));
}

void
ev_fire(struct event *ev, const struct sub *list)
{
	for (; list; list = list->next) {
		struct session *s = &ev->hub->sessions[list->session];
		if (!s->running)
			continue;
		ev->f.probe = list->probe;
		engine_user.fire(s->engine, &ev->f);
	}
}
