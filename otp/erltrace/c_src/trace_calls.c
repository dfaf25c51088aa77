/* Functions: calls, returns, exceptions. */
#include "callback.h"
#include "frames.h"
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
	for (unsigned i = 0; i < 10 && enif_get_list_cell(ev->env, tail, &head, &tail); i++)
		ev_term(ev, i, head);
}

/* A function by name: its arguments as terms. */
static inline void
fire_entry(struct event *ev, const struct sub *list, ERL_NIF_TERM mfa, unsigned depth)
{
	if (!list)
		return;
	ev_again(ev);
	ev->depth = depth;
	if (ev_looks(list))
		add_args(ev, mfa);
	ev_fire(ev, list);
}

/* A function by name has returned or ended: up to two terms say how; 0 if none. */
static inline void
fire_end(struct event *ev, const struct sub *list, unsigned depth, ERL_NIF_TERM a, ERL_NIF_TERM b)
{
	if (!list)
		return;
	ev_again(ev);
	ev->depth = depth;
	if (a)
		ev_term(ev, 0, a);
	if (b)
		ev_term(ev, 1, b);
	ev_fire(ev, list);
}

/* p, mfa, depth: for the probes that are not about one function. */
static __attribute__((noinline)) ET_HOT void
fire_listed(struct event *ev, const struct sub *list, const struct mfa *m, unsigned depth)
{
	ev_again(ev);
	ev_text(ev, 0, EV_TERM, ev->tracee);
	ev_mfa(ev, 1, m);
	ev_num(ev, 2, depth);
	ev->depth = depth;
	ev_fire(ev, list);
}

static inline void
fire_function(struct event *ev, const struct sub *list, const struct mfa *m, unsigned depth)
{
	if (list)
		fire_listed(ev, list, m, depth);
}

static ET_HOT void
fire_left(struct event *ev, struct frame_left left)
{
	struct mfa *m = mfa_at(the_hub.mfas, left.mfa);
	ev->mfa = left.mfa;
	fire_end(ev, m->subs[MFA_RETURN], left.depth, 0, 0);
	if (m->is_native == MFA_ERLANG)
		fire_function(ev, subs(ERLP_FUNCTION_RETURN), m, left.depth);
	else
		fire_function(ev, subs(m->is_native == MFA_BIF ? ERLP_BIF_RETURN : ERLP_NIF_RETURN), m, left.depth);
}

/* Returns whether anybody needs what the match specification tells about a call, because looking it up costs. */
static inline bool
wants_result(void)
{
	return wants() & (WANT_SHADOW | WANT_SIGNAL | WANT_SLEEP | WANT_LOADS | WANT(ES_CODE) | WANT(ES_USER)) ||
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
	frames[0] = DIF_ADDR(DIF_R_MFA, DIF_MFA(mfa_index(the_hub.mfas, called), 0));
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
	ev->mfa = mfa_index(the_hub.mfas, m);
	ERL_NIF_TERM result = wants_result() ? option(ev->env, argv[4], atom_match_spec_result) : 0;
	if (result && wants() & (WANT_SIGNAL | WANT_SLEEP | WANT_LOADS | WANT(ES_CODE) | WANT(ES_USER)))
		result = special_call(ev, result, news);
	uint64_t frames[FRAMES_MOST];
	struct mfa *caller = caller_of(ev, m, result, frames);
	if (wants() & WANT_SHADOW) {
		struct frame_left left;
		depth = procs_call(the_hub.procs, ev->tracee, mfa_index(the_hub.mfas, m),
		    caller ? mfa_index(the_hub.mfas, caller) : 0, &left);
		if (ET_UNLIKELY(left.mfa)) {
			unsigned nframes = ev->nframes; /* of the call that replaced it */
			ev->nframes = 0;
			fire_left(ev, left);
			ev->nframes = nframes;
		}
	}
	fire_entry(ev, m->subs[MFA_ENTRY], argv[3], depth);
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
	struct frame_left left[32];
	struct mfa *to = argv[3] == atom_undefined ? NULL : mfa_of(the_hub.mfas, ev->env, argv[3]);
	uint32_t index = to ? mfa_index(the_hub.mfas, to) : 0;
	bool more = true;
	while (more) {
		unsigned n = procs_return_to(the_hub.procs, ev->tracee, index, left, 32, &more);
		for (unsigned i = 0; i < n; i++)
			fire_left(ev, left[i]);
	}
}

/* Its frame is still there, because the return_to comes later. */
static unsigned
depth_now(const struct event *ev, const struct mfa *m)
{
	return wants() & WANT_SHADOW ? procs_depth(the_hub.procs, ev->tracee, mfa_index(the_hub.mfas, m)) : 0;
}

/* Only for clauses that look at the value; the others learn of the frame by return_to. */
static ET_COLD void
on_return_from(struct event *ev, const ERL_NIF_TERM argv[], struct news *news)
{
	struct mfa *m = mfa_of(the_hub.mfas, ev->env, argv[3]);
	if (m)
		fire_end(ev, m->subs[MFA_VALUE], depth_now(ev, m), option(ev->env, argv[4], atom_extra), 0);
	special_returned(ev, argv[3], option(ev->env, argv[4], atom_extra), news);
}

/* Class, reason. The return_to that follows closes the frame itself. */
static ET_COLD void
on_exception(struct event *ev, const ERL_NIF_TERM argv[])
{
	struct mfa *m = mfa_of(the_hub.mfas, ev->env, argv[3]);
	const ERL_NIF_TERM *e;
	int n;
	if (m && enif_get_tuple(ev->env, option(ev->env, argv[4], atom_extra), &n, &e) && n == 2)
		fire_end(ev, m->subs[MFA_EXCEPTION], depth_now(ev, m), e[0], e[1]);
}

ET_HOT ERL_NIF_TERM
tracer_trace_call(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[])
{
	struct event ev;
	struct news news = {0};
	(void)argc;
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
