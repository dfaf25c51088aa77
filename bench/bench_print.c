/*
 * How long a consumer takes with many keys: merging a snapshot, sorting and printing it. Usage: bench_print [keys]. The
 * default is a million keys, for which all three together should take less than two seconds.
 */
#include "consume/consume.h"
#include "report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static unsigned long nkeys = 1000000;

static double
now(void)
{
	struct timespec ts;
	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

/* An engine that has only keys. Every second key is a string, as processes and functions are. */
static void
snap(struct engine *e, void (*fn)(void *arg, unsigned agg, const void *key, size_t keylen, const uint64_t *words),
    void *arg)
{
	(void)e;
	for (unsigned long i = 0; i < nkeys; i++) {
		uint64_t scattered = i * 0x9e3779b97f4a7c15u, words[2] = {1 + scattered % 1000, 0};
		char key[32] = {0};
		int n = snprintf(key, sizeof key, "key_%lx", (unsigned long)(scattered >> 24));
		fn(arg, 0, key, (size_t)n / 8 * 8 + 8, words);
	}
}

int
main(int argc, char **argv)
{
	static struct dobj_key keys[] = {{.kind = DK_STRING}};
	static struct dobj_agg aggs[] = {{.fn = AGG_COUNT, .nkeys = 1}};
	static const struct dobj o = {.keys = keys, .nkeys = 1, .aggs = aggs, .naggs = 1};
	static const struct engine_ops ops = {.name = "keys", .snap = snap};
	static const struct cs_handlers on;
	struct opts opts;
	struct consumer c;
	if (argc > 1)
		nkeys = strtoul(argv[1], NULL, 10);
	opts_init(&opts);
	FILE *fp = fopen("/dev/null", "w");
	if (!fp || !cs_init(&c, NULL, &o, &opts, &on) || !cs_use_engine(&c, NULL, &ops))
		return 1;
	struct cs_to to = {.fp = fp};
	double t0 = now();
	if (cs_snap(&c) != 0)
		return 1;
	double t1 = now();
	struct aggorder order = cs_aggorder(&c);
	struct aggent **ents;
	size_t n;
	if (!aggset_sorted(&c.aggs, AGG_ALL, &order, &ents, &n))
		return 1;
	free(ents);
	double t2 = now();
	if (cs_print_all(&c, &to, NULL, NULL) != 0)
		return 1;
	double t3 = now();
	printf("%-28s %10zu\n", "keys", c.aggs.n);
	printf("%-28s %10.3f s\n", "merge a snapshot", t1 - t0);
	printf("%-28s %10.3f s\n", "sort", t2 - t1);
	printf("%-28s %10.3f s\n", "sort and print", t3 - t2);
	report_json("print", "a million keys: merge, sort and print", "ms", 1e3 * (t1 - t0 + t3 - t2), "its goal",
	    (t1 - t0 + t3 - t2) / 2 * 1e6 / (double)nkeys);
	printf("%-28s %10.3f s\n", "snapshot, sort and print", t1 - t0 + t3 - t2);
	cs_free(&c);
	opts_free(&opts);
	fclose(fp);
	return 0;
}
