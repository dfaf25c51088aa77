/*
 * What a firing costs on the user engine: hand-made objects, one thread and two, one shard each. Prints a table of
 * nanoseconds of CPU time per firing. It takes the best of three rounds, so that a busy machine disturbs it less.
 *
 *	bench_engine [firings]
 */
#include "programs.h"
#include "report.h"

#include <inttypes.h>
#include <pthread.h>
#include <time.h>

static double
now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static const struct bench {
	const char *name;
	void (*make)(struct as *a);
	uint64_t keys; /* arg0 cycles through this many values */
	double goal;   /* ns; 0 if there is none */
	unsigned per;  /* divide by */
	uint64_t most; /* most firings: what fits into a buffer */
} benches[] = {
    {"empty clause", make_empty, 1, 20, 1, 0},
    {"timestamp", make_timestamp, 1, 0, 1, 0},
    {"@[arg0] = count(), 1 key", make_count, 1, 60, 1, 0},
    {"@[arg0] = count(), 1000 keys", make_count, 1000, 60, 1, 0},
    {"@[arg0] = count(), 1e6 keys", make_count, 1000000, 0, 1, 0},
    {"@[probename] = quantize(arg1)", make_quantize, 1, 80, 1, 0},
    {"a[arg0] = arg1; a[arg0]", make_assoc, 1000, 80, 1, 0},
    {"a[arg0] = arg1; a[arg0] = 0", make_assoc_free, 1000, 0, 1, 0},
    {"self->x = arg1; self->x", make_self, 1, 0, 1, 0},
    {"self->x = arg1; self->x = 0", make_self_free, 1, 0, 1, 0},
    {"trace(arg0)", make_record, 1, 0, 1, 1000000},
    {"an instruction", make_insns, 1, 0, INSNS + 2, 0},
};

/* ---- running ---- */

struct job {
	struct engine *e;
	unsigned shard, probe;
	uint64_t n, keys;
	double ns;
};

static void *
work(void *arg)
{
	struct job *j = arg;
	struct firing f = {.probe = j->probe, .shard = j->shard, .thread = j->shard + 1, .nargs = 2};
	double from = now();
	for (uint64_t i = 0; i < j->n; i++) {
		f.args[0] = i % j->keys;
		f.args[1] = i + 1;
		engine_user.fire(j->e, &f);
	}
	j->ns = (now() - from) / (double)j->n;
	return NULL;
}

static void
walk(void *arg, unsigned agg, const void *key, size_t keylen, const uint64_t *words)
{
	(void)agg, (void)key, (void)keylen;
	*(uint64_t *)arg += words[0];
}

/* Returns ns per firing with this many threads at once. *snap is the ms of the snapshot after it. */
static double
once(const struct bench *b, unsigned nthreads, uint64_t n, double *snap)
{
	struct eng_conf c = as_conf();
	struct why why = {"out of memory"};
	unsigned probe;
	c.nshards = nthreads;
	c.aggsize = 128 << 20;
	c.bufsize = 256 << 20;
	c.dynvarsize = 8 << 20;
	c.sizes.strsize = 256;
	struct engine *e = start_program(b->make, &c, &probe, &why);
	if (!e) {
		fprintf(stderr, "no engine: %s\n", why.text);
		exit(1);
	}
	if (b->most && n > b->most)
		n = b->most;
	struct job jobs[8];
	pthread_t tids[8];
	for (unsigned i = 0; i < nthreads; i++) {
		jobs[i] = (struct job){.e = e, .shard = i, .probe = probe, .n = n, .keys = b->keys};
		pthread_create(&tids[i], NULL, work, &jobs[i]);
	}
	double ns = 0;
	for (unsigned i = 0; i < nthreads; i++) {
		pthread_join(tids[i], NULL);
		ns += jobs[i].ns / nthreads / b->per;
	}
	uint64_t total = 0;
	double from = now();
	engine_user.snap(e, walk, &total);
	*snap = (now() - from) / 1e6;
	struct eng_status st;
	engine_user.status(e, &st);
	for (unsigned d = 0; d < ENG_NDROPS; d++)
		if (st.drops[d])
			fprintf(stderr, "%s: %" PRIu64 " drops\n", b->name, st.drops[d]);
	engine_user.destroy(e);
	return ns;
}

static double
run(const struct bench *b, unsigned nthreads, uint64_t n, double *snap)
{
	double best = once(b, nthreads, n, snap), s;
	for (int i = 0; i < 2; i++) {
		double ns = once(b, nthreads, n, &s);
		best = ns < best ? ns : best;
		*snap = s < *snap ? s : *snap;
	}
	return best;
}

int
main(int argc, char **argv)
{
	uint64_t n = argc > 1 ? strtoull(argv[1], NULL, 10) : 2000000;
	double empty = 0;
	printf("%-34s %10s %10s %8s %8s %10s\n", "ns per firing", "1 thread", "2 threads", "ratio", "goal", "snap ms");
	for (size_t i = 0; i < sizeof benches / sizeof benches[0]; i++) {
		const struct bench *b = &benches[i];
		double snap, snap2, one = run(b, 1, n, &snap), two = run(b, 2, n, &snap2);
		char goal[16] = "";
		if (b->goal > 0)
			snprintf(goal, sizeof goal, "%.0f%s", b->goal, one <= b->goal ? "" : " MISSED");
		printf("%-34s %10.1f %10.1f %8.2f %8s %10.1f\n", b->name, one, two, two / one, goal, snap);
		empty = i ? empty : one;
		report_json("engine", b->name, "ns", one, benches[0].name, one / empty);
		char name[64];
		snprintf(name, sizeof name, "%s, two threads", b->name);
		report_json("engine", name, "ns", two, "one thread", two / one);
	}
	return 0;
}
