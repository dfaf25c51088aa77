/*
 * How the cost of a firing grows: with keys, processes, scripts, clauses, the length of strings, and threads that use
 * one associative array. Nanoseconds of CPU time per firing, the best of three rounds, and how many times the cost of
 * the first row of its table that is. Snapshots: milliseconds. Pauses: the longest firing beside snapshots, in
 * microseconds.
 *
 *	bench_growth [firings [threads]]	threads: only their rows
 */
#include "programs.h"
#include "report.h"

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

enum { ROUNDS = 3, MOST_THREADS = 64, MOST_SCRIPTS = 16, MOST_CLAUSES = 1000, PAUSES = 21 };

static double
now(clockid_t clock)
{
	struct timespec t;
	clock_gettime(clock, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* ---- one table ---- */

static const char *table;
static char first_row[64];
static double first;

static void
begin(const char *name)
{
	table = name;
	first = 0;
	printf("%s\n", name);
}

static void
row(const char *what, const char *unit, double value)
{
	char name[128];
	if (first <= 0) {
		first = value;
		snprintf(first_row, sizeof first_row, "%s", what);
	}
	printf("  %-28s %10.1f %s %8.2f x\n", what, value, unit, value / first);
	snprintf(name, sizeof name, "%s: %s", table, what);
	report_json("growth", name, unit, value, first_row, value / first);
}

/* ---- firing ---- */

/* What differs from one firing to the next. */
struct cycle {
	uint64_t keys, processes; /* arg0 and the process take so many values */
	const struct firing_ops *ops;
	void *ctx;
	uint64_t arg0; /* if keys is 0 */
	uint64_t from; /* the first key */
	uint64_t at;   /* at which of them it begins */
};

static void
fire_many(struct engine *e, unsigned probe, unsigned shard, uint64_t n, const struct cycle *c)
{
	struct firing f = {.probe = probe, .shard = shard, .nargs = 2, .ops = c->ops, .ctx = c->ctx};
	uint64_t key = c->at, process = 0;
	for (uint64_t i = 0; i < n; i++) {
		f.args[0] = c->keys ? c->from + key : c->arg0;
		f.args[1] = i + 1;
		f.thread = process + 1;
		key = key + 1 < c->keys ? key + 1 : 0;
		process = process + 1 < c->processes ? process + 1 : 0;
		engine_user.fire(e, &f);
	}
}

static struct engine *
start(void (*make)(struct as *a), unsigned nshards, unsigned *probe)
{
	struct eng_conf c = as_conf();
	struct why why = {"out of memory"};
	c.nshards = nshards;
	c.aggsize = 128 << 20;
	c.dynvarsize = 256 << 20;
	c.sizes.strsize = 2048;
	struct engine *e = start_program(make, &c, probe, &why);
	if (!e) {
		fprintf(stderr, "no engine: %s\n", why.text);
		exit(1);
	}
	return e;
}

static void
walk(void *arg, unsigned agg, const void *key, size_t keylen, const uint64_t *words)
{
	(void)agg, (void)key, (void)keylen;
	*(uint64_t *)arg += words[0];
}

static void
finish(struct engine *e)
{
	struct eng_status st;
	engine_user.status(e, &st);
	for (unsigned d = 0; d < ENG_NDROPS; d++)
		if (st.drops[d])
			fprintf(stderr, "%s: %llu drops\n", table, (unsigned long long)st.drops[d]);
	engine_user.destroy(e);
}

/* Everything is filled once before it is measured. */
static double
measure(void (*make)(struct as *a), uint64_t n, const struct cycle *c, double *snap)
{
	unsigned probe;
	uint64_t total = 0, all = c->keys > c->processes ? c->keys : c->processes;
	struct engine *e = start(make, 1, &probe);
	double best = 0;
	fire_many(e, probe, 0, all, c);
	for (unsigned i = 0; i < ROUNDS; i++) {
		double from = now(CLOCK_THREAD_CPUTIME_ID);
		fire_many(e, probe, 0, n > all ? n : all, c);
		double ns = (now(CLOCK_THREAD_CPUTIME_ID) - from) / (double)(n > all ? n : all);
		best = i && best < ns ? best : ns;
	}
	double from = now(CLOCK_THREAD_CPUTIME_ID);
	engine_user.snap(e, walk, &total);
	if (snap)
		*snap = (now(CLOCK_THREAD_CPUTIME_ID) - from) / 1e6;
	finish(e);
	return best;
}

/* ---- keys, processes ---- */

static void
by_keys(uint64_t n)
{
	static const uint64_t keys[] = {1, 10, 100, 1000, 10000, 100000, 1000000};
	double snaps[7], at[7];
	char what[64];
	begin("@[arg0] = count(), by keys");
	for (unsigned i = 0; i < 7; i++) {
		at[i] = measure(make_count, n, &(struct cycle){.keys = keys[i]}, &snaps[i]);
		snprintf(what, sizeof what, "%llu", (unsigned long long)keys[i]);
		row(what, "ns", at[i]);
	}
	begin("a snapshot of it, by keys");
	for (unsigned i = 3; i < 7; i++) {
		snprintf(what, sizeof what, "%llu", (unsigned long long)keys[i]);
		row(what, "ms", snaps[i]);
	}
	begin("a[arg0] = arg1; a[arg0], by keys");
	for (unsigned i = 0; i < 7; i++) {
		snprintf(what, sizeof what, "%llu", (unsigned long long)keys[i]);
		row(what, "ns", measure(make_assoc, n, &(struct cycle){.keys = keys[i]}, NULL));
	}
	begin("self->x = arg1; self->x, by processes");
	for (unsigned i = 1; i < 7; i++) {
		snprintf(what, sizeof what, "%llu", (unsigned long long)keys[i]);
		row(what, "ns", measure(make_self, n, &(struct cycle){.processes = keys[i]}, NULL));
	}
}

/* ---- pauses ---- */

struct pauses {
	struct engine *e;
	unsigned probe;
	uint64_t keys;
	atomic_bool stop;
	atomic_uint snaps; /* so far */
	double longest[PAUSES];
};

/* Fires as a scheduler of a VM does, and notes the longest firing between two snapshots. */
static void *
fire_and_note(void *arg)
{
	struct pauses *p = arg;
	struct eng_budget b;
	struct firing f = {.probe = p->probe, .thread = 1, .locked = true, .nargs = 2, .budget = &b};
	uint64_t key = 0;
	while (!atomic_load(&p->stop)) {
		f.args[0] = key = key + 1 < p->keys ? key + 1 : 0;
		eng_budget_init(&b);
		double from = now(CLOCK_THREAD_CPUTIME_ID);
		engine_user.fire(p->e, &f);
		double ns = now(CLOCK_THREAD_CPUTIME_ID) - from;
		unsigned at = atomic_load(&p->snaps);
		if (at < PAUSES && ns > p->longest[at])
			p->longest[at] = ns;
	}
	return NULL;
}

static void
lock_nothing(void *arg, unsigned shard)
{
	(void)arg, (void)shard;
}

static bool
try_nothing(void *arg, unsigned shard)
{
	(void)arg, (void)shard;
	return true;
}

static int
by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

/* The median of the longest firings, while snapshots are taken (or not: then only time passes). */
static double
longest_firing(uint64_t keys, bool snapshots)
{
	static struct pauses p;
	struct eng_conf c = as_conf();
	struct why why = {"out of memory"};
	uint64_t total = 0;
	pthread_t tid;
	c.nshards = 1;
	c.aggsize = 128 << 20;
	c.locks = (struct eng_locks){.n = 1, .lock = lock_nothing, .trylock = try_nothing, .unlock = lock_nothing};
	memset(&p, 0, sizeof p);
	p.keys = keys;
	p.e = start_program(make_count, &c, &p.probe, &why);
	if (!p.e || pthread_create(&tid, NULL, fire_and_note, &p) != 0) {
		fprintf(stderr, "no engine: %s\n", why.text);
		exit(1);
	}
	for (unsigned i = 0; i < PAUSES; i++) {
		/* long enough for all keys */
		nanosleep(&(struct timespec){.tv_nsec = 20000000 + (long)(keys * 400)}, NULL);
		if (snapshots)
			engine_user.snap(p.e, walk, &total);
		atomic_fetch_add(&p.snaps, 1);
	}
	atomic_store(&p.stop, true);
	pthread_join(tid, NULL);
	engine_user.stop(p.e);
	finish(p.e);
	qsort(p.longest, PAUSES, sizeof p.longest[0], by_value);
	return p.longest[PAUSES / 2] / 1e3;
}

static void
by_pauses(void)
{
	static const uint64_t keys[] = {1, 1000, 100000, 1000000};
	char what[64];
	for (unsigned snapshots = 0; snapshots < 2; snapshots++) {
		begin(snapshots ? "longest firing beside snapshots, by keys"
				: "longest firing without snapshots, by keys");
		for (unsigned i = 0; i < 4; i++) {
			snprintf(what, sizeof what, "%llu", (unsigned long long)keys[i]);
			row(what, "us", longest_firing(keys[i], snapshots));
		}
	}
}

/* ---- strings ---- */

struct text {
	char at[1024];
	size_t len;
	bool known; /* the provider knows it by a word */
};

static int
text_of(struct firing *f, unsigned n, const void **mem, size_t *len, struct eng_same *same)
{
	const struct text *t = f->ctx;
	(void)n;
	*mem = t->at;
	*len = t->len + 1;
	if (t->known)
		*same = (struct eng_same){(uintptr_t)t, 1};
	return 0;
}

static void
make_by_text(struct as *a)
{
	as_key(a, DK_STRING, 0, false);
	int32_t agg = as_agg(a, AGG_COUNT, 1);
	as_clause(a);
	as_op(a, DIF_LDARG, 0, 0, 0, 0);
	as_op(a, DIF_STSL, 0, 0, 0, 0);
	as_op(a, DIF_AGG, 1, 0, 1, agg);
	as_end(a);
}

static void
by_length(uint64_t n)
{
	static const struct firing_ops ops = {.argmem = text_of};
	static const size_t lengths[] = {8, 32, 128, 512, 1000};
	static struct text t;
	char what[64];
	for (unsigned known = 0; known < 2; known++) {
		begin(known ? "@[copyinstr(arg0)] = count(), name of a pid, an atom or a function, by length"
			    : "@[copyinstr(arg0)] = count(), any text, by length");
		for (unsigned i = 0; i < 5; i++) {
			memset(t.at, 'x', lengths[i]);
			t.at[lengths[i]] = '\0';
			t.len = lengths[i];
			t.known = known;
			snprintf(what, sizeof what, "%zu bytes", lengths[i]);
			row(what, "ns",
			    measure(make_by_text, n,
				&(struct cycle){.ops = &ops, .ctx = &t, .arg0 = DIF_ADDR(DIF_R_ARG, 0)}, NULL));
		}
	}
}

/* ---- scripts, clauses ---- */

static void
by_scripts(uint64_t n)
{
	static const unsigned counts[] = {1, 2, 4, 8, 16};
	struct engine *e[MOST_SCRIPTS];
	unsigned probe[MOST_SCRIPTS];
	char what[64];
	begin("@[arg0] = count(), an event, by scripts at once");
	for (unsigned i = 0; i < 5; i++) {
		double best = 0;
		for (unsigned k = 0; k < counts[i]; k++)
			e[k] = start(make_count, 1, &probe[k]);
		for (unsigned r = 0; r < ROUNDS; r++) {
			double from = now(CLOCK_THREAD_CPUTIME_ID);
			struct firing f = {.thread = 1, .nargs = 2};
			for (uint64_t j = 0; j < n / 4; j++)
				for (unsigned k = 0; k < counts[i]; k++) {
					f.probe = probe[k];
					f.args[0] = j % 16;
					engine_user.fire(e[k], &f);
				}
			double ns = (now(CLOCK_THREAD_CPUTIME_ID) - from) / (double)(n / 4);
			best = r && best < ns ? best : ns;
		}
		for (unsigned k = 0; k < counts[i]; k++)
			finish(e[k]);
		snprintf(what, sizeof what, "%u", counts[i]);
		row(what, "ns", best);
	}
}

/* The probe gets the clause many times. */
static void
by_clauses(uint64_t n)
{
	static const unsigned counts[] = {1, 10, 100, 1000};
	static const char *const names[4] = {"bench", "", "", "fire"};
	char what[64];
	begin("@[arg0] = count(), an event, by clauses");
	for (unsigned i = 0; i < 4; i++) {
		static struct as a;
		struct eng_conf c = as_conf();
		struct why why = {""};
		double best = 0;
		int probe = -1;
		c.aggsize = 1 << 20;
		as_init(&a);
		make_count(&a);
		as_done(&a, &c);
		struct engine *e = engine_user.create(&a.o, &c, &why);
		for (unsigned k = 0; e && k < counts[i]; k++)
			probe = engine_user.bind(e, 4, names, 0);
		if (probe < 0 || !engine_user.start(e, &why)) {
			fprintf(stderr, "no engine: %s\n", why.text);
			exit(1);
		}
		for (unsigned r = 0; r < ROUNDS; r++) {
			double from = now(CLOCK_THREAD_CPUTIME_ID);
			fire_many(e, (unsigned)probe, 0, n / counts[i] + 1, &(struct cycle){.keys = 16});
			double ns = (now(CLOCK_THREAD_CPUTIME_ID) - from) / (double)(n / counts[i] + 1);
			best = r && best < ns ? best : ns;
		}
		finish(e);
		snprintf(what, sizeof what, "%u", counts[i]);
		row(what, "ns", best);
	}
}

/* ---- threads ---- */

struct job {
	struct engine *e;
	unsigned probe, shard;
	uint64_t n;
	struct cycle cycle;
	double ns;
};

static void *
work(void *arg)
{
	struct job *j = arg;
	double from = now(CLOCK_THREAD_CPUTIME_ID);
	fire_many(j->e, j->probe, j->shard, j->n, &j->cycle);
	j->ns = now(CLOCK_THREAD_CPUTIME_ID) - from;
	return NULL;
}

/* Each thread has its shard, as each scheduler of a VM. Waiting for each other would show as CPU time. All have the
 * same 1,000 keys and are at different ones, or each has keys of its own. */
static void
by_threads(const char *name, void (*make)(struct as *a), bool own, uint64_t n)
{
	enum { KEYS = 1000 };
	static const unsigned counts[] = {1, 2, 16, 64};
	struct job jobs[MOST_THREADS];
	pthread_t tids[MOST_THREADS];
	char what[64];
	begin(name);
	for (unsigned i = 0; i < 4; i++) {
		double best = 0;
		for (unsigned r = 0; r < ROUNDS; r++) {
			unsigned probe;
			struct eng_conf c = as_conf();
			struct why why = {"out of memory"};
			double ns = 0;
			c.nshards = counts[i];
			c.aggsize = 1 << 20;
			c.dynvarsize = 16 << 20;
			struct engine *e = start_program(make, &c, &probe, &why);
			if (!e) {
				fprintf(stderr, "no engine: %s\n", why.text);
				exit(1);
			}
			for (unsigned k = 0; k < counts[i]; k++) {
				struct cycle its = {
				    .keys = KEYS, .from = own ? k * KEYS : 0, .at = own ? 0 : k * KEYS / counts[i]};
				jobs[k] =
				    (struct job){.e = e, .probe = probe, .shard = k, .n = n / counts[i], .cycle = its};
				fire_many(e, probe, k, KEYS, &its);
			}
			for (unsigned k = 0; k < counts[i]; k++) {
				if (pthread_create(&tids[k], NULL, work, &jobs[k]) != 0)
					exit(1);
			}
			for (unsigned k = 0; k < counts[i]; k++) {
				pthread_join(tids[k], NULL);
				ns += jobs[k].ns;
			}
			ns /= (double)(n / counts[i] * counts[i]);
			best = r && best < ns ? best : ns;
			finish(e);
		}
		snprintf(what, sizeof what, "%u", counts[i]);
		row(what, "ns", best);
	}
}

int
main(int argc, char **argv)
{
	uint64_t n = argc > 1 ? strtoull(argv[1], NULL, 10) : 400000;
	if (argc < 3) {
		by_keys(n);
		by_pauses();
		by_length(n);
		by_scripts(n);
		by_clauses(n);
	}
	by_threads("@[arg0] = count(), by threads", make_count, false, n);
	by_threads("a[arg0] = arg1; a[arg0], one array and the same keys, by threads", make_assoc, false, n);
	by_threads("a[arg0] = arg1; a[arg0], one array, each with its keys, by threads", make_assoc, true, n);
	by_threads("a[arg0] = arg1; a[arg0] = 0, one array, each with its keys, by threads", make_assoc_free, true, n);
	return 0;
}
