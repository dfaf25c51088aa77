/* Processes: spawns, exits, names, links, running and waiting, garbage collection. */
#include "base/clock.h"
#include "callback.h"
#include "sites.h"
#include "special.h"

static ET_HOT void
fire_two(struct event *ev, enum erl_probe id, ERL_NIF_TERM a, enum ev_how how, ERL_NIF_TERM b)
{
	const struct sub *list = subs(id);
	if (!list)
		return;
	ev_again(ev);
	ev_text(ev, 0, EV_TERM, a);
	if (b)
		ev_text(ev, 1, how, b);
	else
		ev_static(ev, 1, "", 0);
	ev_fire(ev, list);
}

static void
forget_process(ERL_NIF_TERM pid)
{
	for (unsigned i = 0; i < HUB_SCRIPTS; i++)
		if (the_hub.scripts[i].running && the_hub.scripts[i].way == RUN_EVENTS)
			site_forget(&the_hub.scripts[i], pid);
		else if (the_hub.scripts[i].running)
			engine_user.thread_exit(the_hub.scripts[i].engine, pid);
	procs_exit(the_hub.procs, pid);
}

ET_HOT ERL_NIF_TERM
tracer_trace_procs(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[])
{
	struct event ev;
	ERL_NIF_TERM tag = argv[0];
	(void)argc;
	if (!begin(&ev, env, argv[2]))
		return atom_ok;
	ev.tag = argv[0];
	if (tag == atom_spawned)
		fire_two(&ev, ERLP_PROCESS_SPAWN, argv[2], EV_MFA, option(env, argv[4], atom_extra));
	else if (tag == atom_exit)
		fire_two(&ev, ERLP_PROCESS_EXIT, argv[2], EV_REASON, argv[3]);
	else if (tag == atom_getting_unlinked && wants() & WANT_SIGNAL)
		special_unlinked(&ev, argv[3]);
	else if (tag == atom_register_)
		fire_two(&ev, ERLP_PROCESS_REGISTER, argv[2], EV_TERM, argv[3]);
	else if (tag == atom_unregister_)
		fire_two(&ev, ERLP_PROCESS_UNREGISTER, argv[2], EV_TERM, argv[3]);
	else if (tag == atom_link)
		fire_two(&ev, ERLP_PROCESS_LINK, argv[2], EV_TERM, argv[3]);
	else if (tag == atom_unlink)
		fire_two(&ev, ERLP_PROCESS_UNLINK, argv[2], EV_TERM, argv[3]);
	fire_trace(&ev, argv);
	if (tag == atom_exit)
		forget_process(argv[2]);
	return end(&ev);
}

/* A process that waited for a busy port runs again. */
static void
fire_unblocked(struct event *ev, const struct port_wait *w)
{
	const struct sub *list = subs(w->node ? ERLP_DIST_PORT_NOT_BUSY : ERLP_PROCESS_PORT_UNBLOCKED);
	if (!list)
		return;
	ev_again(ev);
	if (w->node) {
		const char *node = atomic_load_explicit(&the_hub.node, memory_order_acquire);
		ev_static(ev, 0, node, strlen(node));
		ev_text(ev, 1, EV_TERM, w->port);
		ev_text(ev, 2, EV_TERM, w->node);
	} else {
		ev_text(ev, 0, EV_TERM, w->process);
		ev_text(ev, 1, EV_TERM, w->port);
	}
	ev_fire(ev, list);
}

/* The function in which a process begins or ceases to run. */
static void
know_function(struct event *ev, bool in, ERL_NIF_TERM process, ERL_NIF_TERM mfa)
{
	const struct mfa *m = mfa_of(the_hub.mfas, ev->env, mfa);
	struct thread *t = thread_own();
	ev->mfa = m ? mfa_index(m) : 0;
	if (in && m && atomic_load_explicit(&t->process, memory_order_relaxed) == process) {
		atomic_store_explicit(&t->mfa, (uint64_t)(uintptr_t)m->text, memory_order_relaxed);
		thread_show(t);
	}
}

ET_HOT ERL_NIF_TERM
tracer_trace_running_procs(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[])
{
	struct event ev;
	struct sample_news news;
	(void)argc;
	if (!begin(&ev, env, argv[2]))
		return atom_ok;
	news.n = 0; /* and nothing else: there is room for many */
	ev.tag = argv[0];
	bool in = argv[0] == atom_in || argv[0] == atom_in_exiting;
	if (ET_UNLIKELY(wants() & WANT_WHERE))
		know_function(&ev, in, argv[2], argv[3]);
	if (in && wants() & WANT_RUN)
		procs_in(the_hub.procs, argv[2], mono_ns());
	if (in) {
		struct port_wait w;
		if (wants() & WANT_UNBLOCK && ports_resumed(the_hub.ports, argv[2], &w))
			fire_unblocked(&ev, &w);
		fire_two(&ev, ERLP_PROCESS_SCHEDULED, argv[2], EV_MFA, argv[3]);
	} else {
		const struct sub *list = subs(ERLP_PROCESS_UNSCHEDULED);
		if (list) {
			ev_again(&ev);
			ev_text(&ev, 0, EV_TERM, argv[2]);
			ev_fire(&ev, list);
		}
	}
	if (!in && wants() & WANT_SAMPLE)
		sample_out(&ev, argv[3], &news);
	fire_trace(&ev, argv);
	if (argv[0] == atom_out_exited)
		forget_process(argv[2]); /* again: events that come after `exit` may have left something */
	else if (!in && wants() & WANT_RUN)
		procs_out(the_hub.procs, argv[2], mono_ns());
	end(&ev);
	if (news.n)
		sample_tell(env, argv[2], argv[3], &news);
	return atom_ok;
}

static int64_t
property(ErlNifEnv *env, ERL_NIF_TERM list, ERL_NIF_TERM key)
{
	ERL_NIF_TERM head;
	const ERL_NIF_TERM *e;
	ErlNifSInt64 v;
	int n;
	while (enif_get_list_cell(env, list, &head, &list))
		if (enif_get_tuple(env, head, &n, &e) && n == 2 && e[0] == key && enif_get_int64(env, e[1], &v))
			return v;
	return 0;
}

static void
fire_gc(struct event *ev, enum erl_probe id, const ERL_NIF_TERM argv[])
{
	const struct sub *list = subs(id);
	if (!list)
		return;
	ev_again(ev);
	ev_text(ev, 0, EV_TERM, argv[2]);
	ev_num(ev, 1, (uint64_t)property(ev->env, argv[3], atom_wordsize));
	ev_fire(ev, list);
}

/* The heap's size before the collection against after it. */
static void
fire_heap_change(struct event *ev, ERL_NIF_TERM pid, uint64_t after)
{
	uint64_t before = ev->shard->gc_heap;
	if (ev->shard->gc_pid != pid || before == after)
		return;
	const struct sub *list = subs(after > before ? ERLP_PROCESS_HEAP_GROW : ERLP_PROCESS_HEAP_SHRINK);
	if (!list)
		return;
	ev_again(ev);
	ev_text(ev, 0, EV_TERM, pid);
	ev_num(ev, 1, before);
	ev_num(ev, 2, after);
	ev_fire(ev, list);
}

ERL_NIF_TERM
tracer_trace_garbage_collection(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[])
{
	struct event ev;
	ERL_NIF_TERM tag = argv[0];
	(void)argc;
	if (!begin(&ev, env, argv[2]))
		return atom_ok;
	ev.tag = argv[0];
	bool starts = tag == atom_gc_minor_start || tag == atom_gc_major_start;
	bool major = tag == atom_gc_major_start || tag == atom_gc_major_end;
	if (starts)
		fire_gc(&ev, major ? ERLP_GC_MAJOR_START : ERLP_GC_MINOR_START, argv);
	else
		fire_gc(&ev, major ? ERLP_GC_MAJOR_END : ERLP_GC_MINOR_END, argv);
	if (subs(ERLP_PROCESS_HEAP_GROW) || subs(ERLP_PROCESS_HEAP_SHRINK)) {
		uint64_t heap = (uint64_t)property(env, argv[3], atom_heap_block_size);
		if (!starts)
			fire_heap_change(&ev, argv[2], heap);
		ev.shard->gc_pid = starts ? argv[2] : 0;
		ev.shard->gc_heap = heap;
	}
	fire_trace(&ev, argv);
	return end(&ev);
}
