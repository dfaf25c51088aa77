/* See level.h. */
#include "level.h"

#include "tracer.h"

#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

enum { WORDS = 96, NOTES = 64 };
enum { NOBODY, SOMEBODY, DONE }; /* who finds it out */

struct levels levels;
static atomic_uint finding;
static ErlNifPid finder; /* of SOMEBODY; the hub's lock `manage` is for this */

/* Only the process that finds it out writes and reads these. */
static struct {
	unsigned n;
	struct {
		ERL_NIF_TERM tag;
		uint32_t level;
	} note[NOTES];
} notes;

void
level_note(ErlNifEnv *env, const ERL_NIF_TERM argv[])
{
	if (notes.n == NOTES || atomic_load_explicit(&finding, memory_order_relaxed) != SOMEBODY)
		return;
	notes.note[notes.n].tag = argv[0];
	notes.note[notes.n++].level = level_now(env, argv[2]);
}

static ERL_NIF_TERM
told_notes(ErlNifEnv *env)
{
	ERL_NIF_TERM list = enif_make_list(env, 0);
	while (notes.n) {
		notes.n--;
		list = enif_make_list_cell(env,
		    enif_make_tuple2(env, notes.note[notes.n].tag, enif_make_uint(env, notes.note[notes.n].level)),
		    list);
	}
	return list;
}

/* What the process begins with, as far as it can be read: nobody has checked yet that it is there. */
static ERL_NIF_TERM
words(ErlNifEnv *env)
{
	uint64_t word[WORDS];
	ERL_NIF_TERM bytes;
	struct iovec to = {word, sizeof word}, from = {(void *)(uintptr_t)level_process(env), sizeof word};
	ssize_t got = process_vm_readv(getpid(), &to, 1, &from, 1, 0);
	size_t len = got > 0 ? (size_t)got & ~(size_t)7 : 0;
	memcpy(enif_make_new_binary(env, len, &bytes), word, len);
	return bytes;
}

static bool
is(ErlNifEnv *env, ERL_NIF_TERM t, const char *name)
{
	return enif_is_identical(t, enif_make_atom(env, name));
}

/* Not while scripts follow returns: the calls that are on shadow stacks have no levels. */
static bool
learned(uint32_t marker, uint32_t frame)
{
	struct hub *h = &the_hub;
	enif_mutex_lock(h->manage);
	bool ok = !(atomic_load_explicit(&h->wants, memory_order_relaxed) & WANT_SHADOW);
	if (ok) {
		levels.marker = marker;
		levels.frame = frame;
		atomic_store_explicit(&levels.known, true, memory_order_release);
	}
	enif_mutex_unlock(h->manage);
	return ok;
}

static bool
begins(ErlNifEnv *env)
{
	unsigned nobody = NOBODY;
	enif_mutex_lock(the_hub.manage);
	bool ok = atomic_compare_exchange_strong(&finding, &nobody, SOMEBODY);
	if (ok)
		enif_self(env, &finder);
	enif_mutex_unlock(the_hub.manage);
	return ok;
}

/* A process that somebody kills does not say that it has given up. */
static void
give_up_dead(ErlNifEnv *env)
{
	unsigned somebody = SOMEBODY;
	enif_mutex_lock(the_hub.manage);
	if (atomic_load_explicit(&finding, memory_order_acquire) == SOMEBODY && !enif_is_process_alive(env, &finder))
		atomic_compare_exchange_strong(&finding, &somebody, NOBODY);
	enif_mutex_unlock(the_hub.manage);
}

/*
 * level(state) -> known | unknown | busy | impossible
 * level(begin) -> boolean(): whether the caller may find it out; no other process may meanwhile
 * level(words) -> what the VM keeps of the caller, as binary
 * level({words, Top, End}) -> ok: which of them are the top and the end of the stack
 * level(notes) -> [{Tag, Level}] of the caller's traced calls and returns since the last time
 * level({known, Marker, Frame}) -> boolean(): false if returns are traced already: later perhaps
 * level(impossible) -> ok
 */
ERL_NIF_TERM
level_nif(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[])
{
	const ERL_NIF_TERM *e;
	int n;
	unsigned a, b;
	(void)argc;
	if (is(env, argv[0], "state") || is(env, argv[0], "begin"))
		give_up_dead(env);
	unsigned now = atomic_load_explicit(&finding, memory_order_acquire);
	if (is(env, argv[0], "state"))
		return enif_make_atom(env, levels_known()    ? "known"
					   : now == NOBODY   ? "unknown"
					   : now == SOMEBODY ? "busy"
							     : "impossible");
	if (is(env, argv[0], "begin"))
		return enif_make_atom(env, begins(env) ? "true" : "false");
	if (now != SOMEBODY)
		return enif_make_badarg(env);
	if (is(env, argv[0], "words"))
		return words(env);
	if (is(env, argv[0], "notes"))
		return told_notes(env);
	if (is(env, argv[0], "impossible")) {
		atomic_store_explicit(&finding, DONE, memory_order_release);
		return enif_make_atom(env, "ok");
	}
	if (!enif_get_tuple(env, argv[0], &n, &e) || n != 3 || !enif_get_uint(env, e[1], &a) ||
	    !enif_get_uint(env, e[2], &b))
		return enif_make_badarg(env);
	if (is(env, e[0], "words") && a < WORDS && b < WORDS) {
		levels.top = a;
		levels.end = b;
		return enif_make_atom(env, "ok");
	}
	if (!is(env, e[0], "known"))
		return enif_make_badarg(env);
	bool ok = learned(a, b);
	atomic_store_explicit(&finding, ok ? DONE : NOBODY, memory_order_release);
	return enif_make_atom(env, ok ? "true" : "false");
}
