/*
 * profile-N inside a VM: which process runs on each scheduler when the clock strikes. (A strike is one period of such a
 * probe.)
 *
 * A thread counts the strikes of each probe. It cannot see a scheduler from there. So the schedulers look at the
 * counters themselves, in the tracer's callbacks for processes that start and stop running: strikes since `in` belong
 * to the process that stops now, those before it to nobody. So a strike costs one counter, a switch of processes one
 * comparison, and the share of a process is exact. The function is the one in which the process stops, because no stock
 * OTP tells another. For the stack the process itself must be asked (erltrace_sampler.erl does that); the answer comes
 * by sample_read.
 *
 * Rows are taken and given back with hub.manage held: taken while callbacks run, and given back when no callback looks
 * at them any more. Counters are atomic and read at any time.
 */
#ifndef ERLTRACE_SAMPLE_H
#define ERLTRACE_SAMPLE_H

#include <erl_nif.h>

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum { SAMPLE_ROWS = 32, SAMPLE_PENDING = 256, SAMPLE_MOST = 100000 };

/* A profile probe of a script. */
struct sample_row {
	bool taken;
	atomic_bool used; /* events look at it; all else is set before */
	bool stack;       /* some clause of the script records one */
	unsigned script, probe;
	unsigned generation; /* of the row: a reading may come when the row belongs to another probe */
	atomic_uint strikes;
	atomic_ullong last; /* ns, of the last strike */
};

struct samples {
	atomic_uint total; /* strikes of all rows */
	struct sample_row rows[SAMPLE_ROWS];
	_Atomic(ERL_NIF_TERM) reader; /* the process that reads stacks, or 0 */
	atomic_uint pending;          /* readings that it has not done yet */
};

/* What a shard's thread has seen of them. */
struct sampled {
	atomic_uint total, strikes[SAMPLE_ROWS];
};

struct hub;
struct event;
struct engine_ops;

/* Takes a row. Returns -1 if all are taken. */
int sample_take(struct samples *s, unsigned script, unsigned probe, bool stack);
/* The script ends: no event looks at its rows any more, except those under way. */
void sample_end(struct samples *s, unsigned script);
/* Gives back its rows, when these have passed. */
void sample_give(struct samples *s, unsigned script);
/* For the timer thread: its "engine" is a struct samples, the probe of a firing a row. */
extern const struct engine_ops sample_strikes;

/* Readings to send once the shard is left. */
struct sample_news {
	unsigned n;
	struct {
		unsigned row, generation, times;
		uint64_t late;
	} at[SAMPLE_ROWS];
};

/* A process starts running on this thread: earlier strikes were not for it. */
void sample_in(struct hub *h);
/* Returns whether the clock has struck since the process that stops now started running. */
bool sample_is_due(struct hub *h);
/* Fires for the process that stops, or leaves in *news what must be read first. mfa is where it stops, or not a
 * tuple. */
void sample_out(struct event *ev, ERL_NIF_TERM mfa, struct sample_news *news);
void sample_tell(ErlNifEnv *env, ERL_NIF_TERM process, ERL_NIF_TERM mfa, const struct sample_news *news);

/* NIFs: sampler(Pid | undefined); sampled(Row, Generation, Times, Late, Process, Mfa, Stacktrace | undefined) */
ERL_NIF_TERM sample_reader(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[]);
ERL_NIF_TERM sample_read(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[]);

#endif
