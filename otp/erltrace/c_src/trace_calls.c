/* Functions: calls, returns, exceptions. */
#include "callback.h"
#include "frames.h"
#include "level.h"
#include "special.h"

static ET_COLD void
add_args(struct event *ev, ERL_NIF_TERM mfa)
{
	const ERL_NIF_TERM *e;
	ERL_NIF_TERM head, tail;
	int n;
	if (!enif_get_tuple(ev->env, mfa, &n, &e) || n != 3)
		return;
	tail = e[2];
	for (unsigned i = 0; i < DIF_NARGS - DIF_TERM_ARGS && enif_get_list_cell(ev->env, tail, &head, &tail); i++)
		ev_term(ev, DIF_TERM_ARGS + i, head);
}

/* p, mfa, depth. */
static inline void
add_function(struct event *ev, const struct mfa *m, unsigned depth)
{
	ev_text(ev, 0, EV_TERM, ev->tracee);
	ev_mfa(ev, 1, m);
	ev_num(ev, 2, depth);
}

/* A function by name: process, function and depth, and its arguments as terms. */
static inline void
fire_entry(struct event *ev, const struct sub *list, const struct mfa *m, ERL_NIF_TERM mfa, unsigned depth)
{
	if (!list)
		return;
	unsigned looks = ev_looks(list);
	ev_again(ev);
	ev->depth = depth;
	if (looks & 7)
		add_function(ev, m, depth);
	if (looks & EV_TERM_LOOKS)
		add_args(ev, mfa);
	ev_fire(ev, list);
}

/* A function by name has returned or ended: up to two terms say how; 0 if none. */
static inline void
fire_end(struct event *ev, const struct sub *list, const struct mfa *m, unsigned depth, ERL_NIF_TERM a, ERL_NIF_TERM b)
{
	if (!list)
		return;
	ev_again(ev);
	ev->depth = depth;
	if (ev_looks(list) & 7)
		add_function(ev, m, depth);
	if (a)
		ev_term(ev, DIF_TERM_ARGS, a);
	if (b)
		ev_term(ev, DIF_TERM_ARGS + 1, b);
	ev_fire(ev, list);
}

/* For the probes that are not about one function. */
static __attribute__((noinline)) ET_HOT void
fire_listed(struct event *ev, const struct sub *list, const struct mfa *m, unsigned depth)
{
	ev_again(ev);
	ev->depth = depth;
	add_function(ev, m, depth);
	ev_fire(ev, list);
}

static inline void
fire_function(struct event *ev, const struct sub *list, const struct mfa *m, unsigned depth)
{
	if (list)
		fire_listed(ev, list, m, depth);
}

static ET_HOT void
fire_return(struct event *ev, struct frame_left left)
{
	struct mfa *m = mfa_at(the_hub.mfas, left.mfa);
	ev->mfa = left.mfa;
	fire_end(ev, m->subs[MFA_RETURN], m, left.depth, 0, 0);
	if (m->is_native == MFA_ERLANG)
		fire_function(ev, subs(ERLP_FUNCTION_RETURN), m, left.depth);
	else
		fire_function(ev, subs(m->is_native == MFA_BIF ? ERLP_BIF_RETURN : ERLP_NIF_RETURN), m, left.depth);
}

/* Calls that are over before another begins: that one replaced them by a tail call, or nobody has told of their end. */
static ET_COLD void
fire_replaced(struct event *ev, const struct frames_left *left)
{
	unsigned nframes = ev->nframes; /* of the call that replaced them */
	ev->nframes = 0;
	for (unsigned i = 0; i < left->n; i++)
		fire_return(ev, left->frame[i]);
	ev->nframes = nframes;
}

/* Puts a call on the shadow stack. Returns its depth. */
static inline unsigned
enter(struct event *ev, const struct mfa *m, const struct mfa *caller)
{
	struct frames_left left;
	unsigned depth;
	struct traced_call call = {.mfa = mfa_index(m)};
	if (levels_known()) {
		call.level = level_now(ev->env, ev->tracee);
		call.marker = levels.marker;
		call.frame = m->subs[MFA_VALUE] || m->subs[MFA_EXCEPTION] ? levels.frame : 0;
	}
	if (caller)
		call.caller = mfa_index(caller);
	do {
		uint32_t self = ev->mfa;
		depth = procs_call(the_hub.procs, ev->tracee, &call, &left);
		if (ET_UNLIKELY(left.n)) {
			fire_replaced(ev, &left);
			ev->mfa = self;
		}
	} while (ET_UNLIKELY(left.more));
	return depth;
}

/* Returns whether anybody needs what the match specification tells about a call, because looking it up costs. */
static inline bool
wants_result(void)
{
	return wants() & (WANT_CALLERS | WANT_SPECIAL) || (wants() & WANT_SHADOW && !levels_known()) ||
	       subs(ERLP_LOCAL_FUNCTION_ENTRY) || subs(ERLP_GLOBAL_FUNCTION_ENTRY);
}

/* Returns the caller, from {M, F, A}, or from {{M, F, A}, Stacktrace} from OTP 26 on: then the stack of the call is
 * in *frames, which must live as long as the event. */
static ET_COLD struct mfa *
caller_and_stack(struct event *ev, const struct mfa *called, ERL_NIF_TERM result, uint64_t frames[FRAMES_MOST])
{
	const ERL_NIF_TERM *e;
	int n;
	if (!enif_get_tuple(ev->env, result, &n, &e) || n != 2)
		return NULL;
	frames[0] = DIF_ADDR(DIF_R_MFA, DIF_MFA(mfa_index(called), 0));
	ev->frames = frames;
	ev->nframes = 1 + frames_of(&the_hub, ev->env, e[1], frames + 1, FRAMES_MOST - 1);
	return mfa_of(the_hub.mfas, ev->env, e[0]);
}

static inline struct mfa *
caller_of(struct event *ev, const struct mfa *called, ERL_NIF_TERM result, uint64_t frames[FRAMES_MOST])
{
	if (!result || result == atom_undefined)
		return NULL;
	struct mfa *caller = mfa_of(the_hub.mfas, ev->env, result);
	return caller ? caller : caller_and_stack(ev, called, result, frames);
}

static inline void
on_call(struct event *ev, const ERL_NIF_TERM argv[], struct news *news)
{
	struct mfa *m = mfa_of(the_hub.mfas, ev->env, argv[3]);
	if (ET_UNLIKELY(!m))
		return;
	unsigned depth = 0;
	ev->mfa = mfa_index(m);
	ERL_NIF_TERM result = wants_result() ? option(ev->env, argv[4], atom_match_spec_result) : 0;
	if (result && wants() & WANT_SPECIAL)
		result = special_call(ev, result, news);
	uint64_t frames[FRAMES_MOST];
	struct mfa *caller = caller_of(ev, m, result, frames);
	if (wants() & WANT_SHADOW)
		depth = enter(ev, m, caller);
	fire_entry(ev, m->subs[MFA_ENTRY], m, argv[3], depth);
	if (m->is_native == MFA_ERLANG) {
		bool local = caller && caller->m == m->m;
		fire_function(ev, subs(ERLP_FUNCTION_ENTRY), m, depth);
		fire_function(ev, subs(local ? ERLP_LOCAL_FUNCTION_ENTRY : ERLP_GLOBAL_FUNCTION_ENTRY), m, depth);
	} else
		fire_function(ev, subs(m->is_native == MFA_BIF ? ERLP_BIF_ENTRY : ERLP_NIF_ENTRY), m, depth);
	ev->nframes = 0;
}

static inline void
on_return_to(struct event *ev, const ERL_NIF_TERM argv[])
{
	struct frames_left left;
	uint32_t level = 0, index = 0;
	if (levels_known())
		level = level_now(ev->env, ev->tracee);
	else {
		const struct mfa *to = argv[3] == atom_undefined ? NULL : mfa_of(the_hub.mfas, ev->env, argv[3]);
		index = to ? mfa_index(to) : 0;
	}
	do {
		if (levels_known())
			procs_left(the_hub.procs, ev->tracee, level, levels.marker, &left);
		else
			procs_return_to(the_hub.procs, ev->tracee, index, &left);
		for (unsigned i = 0; i < left.n; i++)
			fire_return(ev, left.frame[i]);
	} while (left.more);
}

/* Its frame is still there, because the return_to comes later. */
static unsigned
depth_now(const struct event *ev, const struct mfa *m)
{
	return wants() & WANT_SHADOW ? procs_depth(the_hub.procs, ev->tracee, mfa_index(m)) : 0;
}

/* Only for clauses that look at the value; the others learn of the frame by return_to. */
static ET_COLD void
on_return_from(struct event *ev, const ERL_NIF_TERM argv[], struct news *news)
{
	struct mfa *m = mfa_of(the_hub.mfas, ev->env, argv[3]);
	ev->mfa = m ? mfa_index(m) : 0;
	if (m)
		fire_end(ev, m->subs[MFA_VALUE], m, depth_now(ev, m), option(ev->env, argv[4], atom_extra), 0);
	special_returned(ev, argv[3], option(ev->env, argv[4], atom_extra), news);
}

/* Class, reason. The return_to that follows closes the frame itself. */
static ET_COLD void
on_exception(struct event *ev, const ERL_NIF_TERM argv[])
{
	struct mfa *m = mfa_of(the_hub.mfas, ev->env, argv[3]);
	const ERL_NIF_TERM *e;
	int n;
	ev->mfa = m ? mfa_index(m) : 0;
	if (m && enif_get_tuple(ev->env, option(ev->env, argv[4], atom_extra), &n, &e) && n == 2)
		fire_end(ev, m->subs[MFA_EXCEPTION], m, depth_now(ev, m), e[0], e[1]);
}

/* Most scripts want only this of functions, and it is all that such an event costs. See hub_count(): what callers and
 * stacks are needed for is not wanted, and levels are known if returns are. */
static inline ERL_NIF_TERM
only_call(ErlNifEnv *env, const ERL_NIF_TERM argv[])
{
	struct event ev;
	if (!begin(&ev, env, argv[2]))
		return atom_ok;
	ev.tag = argv[0];
	struct mfa *m = mfa_of(the_hub.mfas, env, argv[3]);
	if (ET_LIKELY(m != NULL)) {
		ev.mfa = mfa_index(m);
		unsigned depth = wants() & WANT_SHADOW ? enter(&ev, m, NULL) : 0;
		fire_entry(&ev, m->subs[MFA_ENTRY], m, argv[3], depth);
	}
	return end(&ev);
}

static inline ERL_NIF_TERM
only_return(ErlNifEnv *env, const ERL_NIF_TERM argv[])
{
	struct event ev;
	struct frames_left left;
	if (!begin(&ev, env, argv[2]))
		return atom_ok;
	ev.tag = argv[0];
	uint32_t level = level_now(env, argv[2]);
	do {
		procs_left(the_hub.procs, argv[2], level, levels.marker, &left);
		for (unsigned i = 0; i < left.n; i++) {
			struct mfa *m = mfa_at(the_hub.mfas, left.frame[i].mfa);
			ev.mfa = left.frame[i].mfa;
			fire_end(&ev, m->subs[MFA_RETURN], m, left.frame[i].depth, 0, 0);
		}
	} while (ET_UNLIKELY(left.more));
	return end(&ev);
}

/* Everything else about functions. */
static ET_HOT __attribute__((noinline)) ERL_NIF_TERM
any_call(ErlNifEnv *env, const ERL_NIF_TERM argv[])
{
	struct event ev;
	struct news news = {0};
	if (!begin(&ev, env, argv[2]))
		return atom_ok;
	is_running(&ev);
	ev.tag = argv[0];
	if (argv[0] == atom_call)
		on_call(&ev, argv, &news);
	else if (argv[0] == atom_return_to)
		on_return_to(&ev, argv);
	else if (argv[0] == atom_return_from)
		on_return_from(&ev, argv, &news);
	else if (argv[0] == atom_exception_from)
		on_exception(&ev, argv);
	fire_trace(&ev, argv);
	end(&ev);
	if (ET_UNLIKELY(news.what))
		special_tell(env, &news);
	return atom_ok;
}

ET_HOT ERL_NIF_TERM
tracer_trace_call(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[])
{
	(void)argc;
	if (ET_UNLIKELY(argv[1] == atom_levels)) {
		level_note(env, argv);
		return atom_ok;
	}
	if (ET_LIKELY(atomic_load_explicit(&the_hub.calls_only, memory_order_acquire))) {
		if (argv[0] == atom_call)
			return only_call(env, argv);
		if (argv[0] == atom_return_to && levels_known())
			return only_return(env, argv);
	}
	return any_call(env, argv);
}
