/* See meter.h. */
#include "meter.h"

#include "base/clock.h"
#include "callback.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/*
 * ns. A normal event takes less than SHORT, unless its thread lost the processor. From the first question to the
 * callback is also less than SHORT; if not, the question was about something else. LOOKED is the time before the clock
 * was first read.
 */
enum { SHORT = 30000, LOOKED = 20000 };
enum { CAREFUL = 8 }; /* after an event that seemed to be long */

static uint64_t
cpu_clock(void)
{
	return clock_ns(CLOCK_THREAD_CPUTIME_ID);
}

/* -- what the VM needs around an event ----------------------------------------------------------------------------- */

/*
 * In hundredths of a unit, from test/erlang/cost.erl: how much longer an operation takes when it is traced, without the
 * measured part. From OTP 27 on the VM goes through the sessions of a process. Columns: OTP 25 and 26; OTP 27 and
 * later; on any, if the clauses ran in the VM's question (fire_asked()).
 */
struct around {
	const ERL_NIF_TERM *tags[4];
	unsigned before_27, from_27, brief;
};
static const struct around arounds[] = {
    {{&atom_call}, 180, 190, 0},
    {{&atom_return_to, &atom_return_from, &atom_exception_from}, 80, 50, 0},
    {{&atom_send}, 20, 40, 0},
    {{&atom_receive}, 50, 60, 0},
    {{&atom_spawned, &atom_spawn}, 900, 1250, 0},
    {{&atom_exit}, 950, 1300, 0},
    {{&atom_in, &atom_in_exiting}, 220, 370, 190},
    {{&atom_out, &atom_out_exiting, &atom_out_exited}, 260, 330, 190},
    {{&atom_gc_minor_start, &atom_gc_minor_end, &atom_gc_major_start, &atom_gc_major_end}, 60, 60, 40},
};
enum { AROUND_OTHER = 60, UNSEEN = 150 }; /* UNSEEN: from the first question to the callback */
enum { COUNTED = 25 }; /* a call that is only counted; more if schedulers call one function at the same instant */

enum { ROUNDS = 16, UNITS = 64 };
static atomic_uint unit = 16 * 120; /* sixteenths of a ns */
static atomic_bool has_sessions;
static atomic_uint clock_cost[2] = {25, 250}; /* ns of mono_ns() and cpu_clock() */

/* ns of `all` without those that reading a clock so many times took. */
static uint64_t
without_reads(uint64_t all, bool by_cpu, unsigned reads)
{
	uint64_t took = (uint64_t)atomic_load_explicit(&clock_cost[by_cpu], memory_order_relaxed) * reads;
	return all > took ? all - took : 0;
}

/*
 * Does what the VM does to report an event, UNITS times, through the interface that it gives us. It looks up the tracer
 * with a lock, which is most of it where atomic operations are slow compared with the rest, and it makes terms.
 */
static uint64_t
time_round(ErlNifEnv *env, ErlNifRWLock *lock)
{
	uint64_t from = cpu_clock();
	for (unsigned i = 0; i < UNITS; i++) {
		for (unsigned k = 0; k < 2; k++) {
			enif_rwlock_rlock(lock);
			enif_rwlock_runlock(lock);
		}
		if (i % 2) {
			ERL_NIF_TERM map, value,
			    mfa = enif_make_tuple3(env, atom_erlang, atom_send, enif_make_uint(env, i));
			enif_make_map_put(env, enif_make_new_map(env), atom_extra, mfa, &map);
			enif_get_map_value(env, map, atom_extra, &value);
		}
	}
	uint64_t took = cpu_clock() - from;
	enif_clear_env(env);
	return took;
}

static uint64_t
time_reads(bool by_cpu)
{
	uint64_t from = cpu_clock();
	for (unsigned i = 0; i < UNITS; i++)
		by_cpu ? cpu_clock() : mono_ns();
	return cpu_clock() - from;
}

/* Sorts them. Neither the least disturbed round counts nor those in which the processor was taken away. */
static uint64_t
typical(uint64_t took[ROUNDS])
{
	for (unsigned i = 0; i < ROUNDS; i++)
		for (unsigned k = i; k && took[k] < took[k - 1]; k--) {
			uint64_t t = took[k];
			took[k] = took[k - 1];
			took[k - 1] = t;
		}
	return took[ROUNDS / 4];
}

void
meter_calibrate(void)
{
	uint64_t took[ROUNDS];
	ErlNifSysInfo info;
	ErlNifEnv *env = enif_alloc_env();
	ErlNifRWLock *lock = enif_rwlock_create("erltrace_meter");
	enif_system_info(&info, sizeof info);
	atomic_store_explicit(
	    &has_sessions, info.otp_release && strtol(info.otp_release, NULL, 10) >= 27, memory_order_relaxed);
	for (unsigned by_cpu = 0; by_cpu < 2; by_cpu++) {
		for (unsigned i = 0; i < ROUNDS; i++)
			took[i] = time_reads(by_cpu);
		atomic_store_explicit(&clock_cost[by_cpu], (unsigned)(typical(took) / UNITS), memory_order_relaxed);
	}
	if (env && lock) {
		for (unsigned i = 0; i < ROUNDS; i++)
			took[i] = time_round(env, lock);
		atomic_store_explicit(&unit, (unsigned)(typical(took) * 16 / UNITS), memory_order_relaxed);
	}
	if (env)
		enif_free_env(env);
	if (lock)
		enif_rwlock_destroy(lock);
}

/* Returns the row's part for the event, in hundredths of a unit. */
static unsigned
part_of(const struct around *a, bool brief)
{
	if (brief)
		return a->brief;
	return atomic_load_explicit(&has_sessions, memory_order_relaxed) ? a->from_27 : a->before_27;
}

/* ns */
static uint64_t
around(const struct event *ev, bool seen)
{
	uint64_t part = AROUND_OTHER + (seen ? 0 : UNSEEN);
	if (!ev->tag)
		return 0;
	for (unsigned i = 0; i < sizeof arounds / sizeof *arounds; i++)
		for (unsigned k = 0; k < 4 && arounds[i].tags[k]; k++)
			if (*arounds[i].tags[k] == ev->tag)
				part = part_of(&arounds[i], ev->brief) + (seen || ev->brief ? 0 : UNSEEN);
	return part * atomic_load_explicit(&unit, memory_order_relaxed) / 1600;
}

ET_COLD void
meter_note(struct thread *t)
{
	atomic_store_explicit(&t->armed, 2, memory_order_relaxed);
	atomic_store_explicit(&t->asked, mono_ns(), memory_order_relaxed);
}

/* Draws a number from 1 to 2 * METER_EVERY - 1, all equally likely. */
static void
draw(struct meter_turns *t)
{
	uint32_t x = t->random ? t->random : (uint32_t)mono_ns() | 1;
	x ^= x << 13;
	x ^= x >> 17;
	x ^= x << 5;
	t->random = x;
	t->until = t->weight = 1 + x % (2 * METER_EVERY - 1);
}

ET_COLD void
meter_turn(struct event *ev, struct meter_turns *t)
{
	struct thread *own = thread_own();
	if (t->until == 1) {
		atomic_store_explicit(&own->armed, 1, memory_order_relaxed);
		return;
	}
	struct metered *m = &ev->metered;
	if (t->weight) {
		uint64_t now = mono_ns(), asked = atomic_load_explicit(&own->asked, memory_order_relaxed);
		m->weight = t->weight;
		m->whole = atomic_load_explicit(&own->armed, memory_order_relaxed) == 2 && now - asked < SHORT;
		m->start = m->whole ? asked : now;
		m->cpu = t->careful ? cpu_clock() - (now - m->start) : 0;
	}
	draw(t);
	atomic_store_explicit(&own->armed, t->until == 1, memory_order_relaxed);
}

static void
fired(struct event *ev, struct script *s, unsigned probe, uint64_t ns)
{
	struct metered *m = &ev->metered;
	unsigned i = 0;
	while (i < m->nfired && (m->fired[i].script != s || m->fired[i].probe != probe))
		i++;
	if (i == METER_FIRED)
		i--; /* the last one takes what does not fit */
	if (i == m->nfired) {
		m->fired[m->nfired++].ns = 0;
		m->fired[i].script = s;
		m->fired[i].probe = probe;
	}
	m->fired[i].ns += ns;
}

ET_COLD void
meter_long(struct event *ev, struct script *s, unsigned probe)
{
	fired(ev, s, probe, cpu_clock() - ev->budget.began + LOOKED);
}

ET_COLD void
meter_fire(struct event *ev, struct script *s, unsigned probe)
{
	bool was_long = ev->budget.began != 0, by_cpu = was_long || ev->metered.cpu;
	uint64_t before = by_cpu ? cpu_clock() : mono_ns();
	ev_run(ev, s);
	if (was_long)
		fired(ev, s, probe, cpu_clock() - before);
	else if (ev->budget.began)
		meter_long(ev, s, probe);
	else if (by_cpu)
		fired(ev, s, probe, without_reads(cpu_clock() - before, true, 1));
	else {
		uint64_t ns = without_reads(mono_ns() - before, false, 1);
		fired(ev, s, probe, ns < SHORT ? ns : SHORT);
	}
}

/* -- what cost most ------------------------------------------------------------------------------------------------ */

/* A new row takes the place of the cheapest and inherits its cost, so that what is expensive is never lost among
 * what is cheap. */
static void
add_row(struct meter *m, unsigned probe, uint32_t mfa, uint64_t ns)
{
	struct meter_row *least = &m->rows[0];
	for (unsigned i = 0; i < METER_ROWS; i++) {
		struct meter_row *r = &m->rows[i];
		if (r->ns && r->probe == probe && r->mfa == mfa) {
			r->ns += ns;
			return;
		}
		if (r->ns < least->ns)
			least = r;
	}
	*least = (struct meter_row){probe, mfa, least->ns + ns, least->ns};
}

/* What surely is a row's own. Of what is cheap, whoever comes last has the most with what it has inherited. */
static uint64_t
own_ns(const struct meter_row *r)
{
	return r->ns - r->inherited;
}

static void
tell_row(struct script *s, const struct meter_row *r, uint64_t all)
{
	unsigned percent = (unsigned)(own_ns(r) * 100 / (all ? all : 1));
	const char *const *names =
	    r->probe == METER_NO_PROBE || !s->engine ? NULL : engine_user.probe_names(s->engine, r->probe);
	const struct mfa *m = r->mfa && names && !*names[2] ? mfa_at(s->hub->mfas, r->mfa) : NULL;
	if (!names)
		why_add(&s->why, "following processes for vtimestamp, self-> or returns (%u%%)", percent);
	else
		why_add(&s->why, "%.40s:%.60s:%.80s:%.40s%s%.120s (%u%%)", names[0], names[1], names[2], names[3],
		    m ? " of " : "", m ? m->text : "", percent);
}

static const char *
advice(const struct script *s, const struct meter_row *r)
{
	const char *const *names =
	    r->probe == METER_NO_PROBE || !s->engine ? NULL : engine_user.probe_names(s->engine, r->probe);
	if (!names)
		return "do without vtimestamp, self-> or return probes";
	if (strstr(names[3], "function") || strstr(names[3], "bif") || strstr(names[3], "nif"))
		return "name the functions (erlang*:Module:Function/Arity:entry), or test them in a predicate "
		       "(/copyinstr(arg1) == \"lists:map/2\"/)";
	if (*names[2])
		return "leave out the functions that are called most";
	if (strncmp(names[0], "profile", 7) == 0)
		return "let the timer fire less often, or do less";
	return "test the process in a predicate (/copyinstr(arg0) == \"<0.1.0>\"/)";
}

static ET_COLD void
explain(struct script *s, const struct meter *m, unsigned percent)
{
	struct meter_row rows[METER_ROWS];
	uint64_t all = 0;
	memcpy(rows, m->rows, sizeof rows);
	for (unsigned i = 0; i < METER_ROWS; i++) {
		all += rows[i].ns;
		for (unsigned k = i; k && own_ns(&rows[k]) > own_ns(&rows[k - 1]); k--) {
			struct meter_row r = rows[k];
			rows[k] = rows[k - 1];
			rows[k - 1] = r;
		}
	}
	why_set(&s->why,
	    "tracing took %u%% of a scheduler, more than maxoverhead allows (%u%%), and was ended. What cost most: ",
	    percent, s->maxoverhead);
	for (unsigned i = 0; i < 3 && rows[i].ns; i++) {
		if (i)
			why_add(&s->why, ", ");
		tell_row(s, &rows[i], all);
	}
	why_add(&s->why, ". To trace less, %s; or allow more with -x maxoverhead=N", advice(s, &rows[0]));
}

/* -- the guard ----------------------------------------------------------------------------------------------------- */

/* Returns ns that the calling thread could have run but had no processor; 0 if unknown. */
static uint64_t
waited(void)
{
	char text[64];
	unsigned long long ran, wait = 0;
	int saved = errno, fd = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
	ssize_t n = fd >= 0 ? read(fd, text, sizeof text - 1) : -1;
	if (fd >= 0)
		close(fd);
	errno = saved;
	text[n > 0 ? n : 0] = '\0';
	return sscanf(text, "%llu %llu", &ran, &wait) == 2 ? wait : 0;
}

/* The window is over. Time in which the thread had to wait counts for nobody. */
static ET_COLD void
judge(struct script *s, struct meter *m, uint64_t now)
{
	uint64_t all = now - m->since, wait = waited(), lost = wait > m->waited ? wait - m->waited : 0;
	uint64_t could = lost < all - all / 32 ? all - lost : all / 32, percent = m->spent * 100 / could;
	bool none = false;
	if (s->maxoverhead && s->maxoverhead < 100 && percent > s->maxoverhead &&
	    atomic_compare_exchange_strong(&s->explaining, &none, true)) {
		explain(s, m, (unsigned)percent);
		atomic_store_explicit(&s->over, (unsigned)percent, memory_order_release);
	}
	m->since = now;
	m->waited = wait;
	m->spent = 0;
	memset(m->rows, 0, sizeof m->rows);
}

static void
spend(struct script *s, struct meter *m, unsigned probe, uint32_t mfa, uint64_t ns, uint64_t now)
{
	m->spent += ns;
	atomic_store_explicit(
	    &m->total, atomic_load_explicit(&m->total, memory_order_relaxed) + ns, memory_order_relaxed);
	add_row(m, probe, mfa, ns);
	if (!m->since) {
		m->since = now - (ns < now ? ns : 0);
		m->waited = waited();
	}
	if (now - m->since >= METER_WINDOW)
		judge(s, m, now);
}

/* No clauses ran: the event is for scripts that follow processes or calls. */
static void
spend_besides(struct event *ev, uint64_t ns, uint64_t now)
{
	for (unsigned i = 0; i < HUB_SCRIPTS; i++) {
		struct script *s = &ev->hub->scripts[i];
		if (s->running && s->wants & WANT_BESIDES)
			spend(s, &s->meters[ev->f.shard], METER_NO_PROBE, 0, ns, now);
	}
}

/* Returns ns of a measured event that are nobody's clauses: those before a long one looked at the clock, or all. The
 * clauses took `own`. */
static uint64_t
besides(struct event *ev, uint64_t own, uint64_t now)
{
	struct metered *m = &ev->metered;
	struct meter_turns *t = &ev->shard->turns;
	bool is_long = ev->budget.began != 0;
	uint64_t all = now - m->start;
	if (m->cpu) {
		uint64_t end = is_long ? ev->budget.began : cpu_clock();
		all = end > m->cpu ? end - m->cpu : 0;
	}
	if (is_long)
		own = m->cpu ? LOOKED : own;
	/* meter_fire() has read it twice, and none of that is in `own` */
	uint64_t rest = without_reads(all > own ? all - own : 0, m->cpu != 0, 1 + 2 * m->nfired);
	t->careful = rest >= SHORT || own >= SHORT ? CAREFUL : t->careful - (t->careful > 0);
	if (!m->cpu)
		rest = is_long ? 0 : rest < SHORT ? rest : SHORT;
	return rest + (is_long ? 0 : around(ev, m->whole));
}

ET_COLD void
meter_end(struct event *ev)
{
	struct metered *m = &ev->metered;
	uint64_t now = mono_ns(), own = 0;
	for (unsigned i = 0; i < m->nfired; i++)
		own += m->fired[i].ns;
	uint64_t rest = m->weight ? besides(ev, own, now) * m->weight : 0;
	unsigned weight = ev->budget.began ? 1 : m->weight;
	if (!m->nfired)
		spend_besides(ev, rest, now);
	for (unsigned i = 0; i < m->nfired; i++) {
		struct script *s = m->fired[i].script;
		bool first = true;
		for (unsigned k = 0; k < i; k++)
			first &= m->fired[k].script != s;
		spend(s, &s->meters[ev->f.shard], m->fired[i].probe, ev->mfa,
		    m->fired[i].ns * weight + (first ? rest : 0), now);
	}
}

void
meter_tick(struct script *s, unsigned shard, unsigned probe, uint64_t ns)
{
	spend(s, &s->meters[shard], probe, 0, ns, mono_ns());
}

/* The VM does not tell who called, so all schedulers share the cost. */
void
meter_counted(struct script *s, unsigned probe, uint64_t calls)
{
	unsigned schedulers = s->hub->nshards > HUB_OTHERS ? s->hub->nshards - HUB_OTHERS : 1;
	struct meter *m = &s->meters[s->hub->nshards + 1];
	uint64_t ns = calls * COUNTED * atomic_load_explicit(&unit, memory_order_relaxed) / 1600,
		 share = ns / schedulers;
	atomic_fetch_add_explicit(&m->total, ns - share, memory_order_relaxed);
	spend(s, m, probe, 0, share, mono_ns());
}

/* Its windows begin here, because the first calls may be told late. */
void
meter_begin_counted(struct script *s)
{
	struct meter *m = &s->meters[s->hub->nshards + 1];
	m->since = mono_ns();
	m->waited = waited();
}
