/*
 * How late do timers come? An example of <erltrace.h>: compiles a D program
 * that measures the time between ticks, runs it for a while, and reads the
 * distribution out of the aggregation instead of printing it as text.
 *
 *   cc -o latency latency.c $(pkg-config --cflags --libs erltrace)
 *   ./latency [ticks]
 */
#include <erltrace.h>

#include <stdlib.h>

static const char program[] = "uint64_t last;\n"
			      "int ticks;\n"
			      "tick-1ms /last/ { @lateness = quantize((timestamp - last) / 1000); ticks++; }\n"
			      "tick-1ms { last = timestamp; }\n"
			      "tick-1ms /ticks >= $1/ { exit(0); }\n";

static enum et_aggwalk
show(struct et_aggdata *a, void *arg)
{
	int64_t low, high;
	(void)arg;
	printf("%llu ticks, microseconds between them:\n", (unsigned long long)a->count);
	for (unsigned i = 0; i < a->nbuckets; i++) {
		int64_t n = et_agg_bucket(a, i, &low, &high);
		if (n)
			printf("%8lld .. %-8lld %lld\n", (long long)low, (long long)high, (long long)n);
	}
	return ET_AGGWALK_NEXT;
}

static int
fail(struct et *h, const char *what)
{
	fprintf(stderr, "latency: %s: %s\n", what, et_errmsg(h, et_errno(h)));
	et_close(h);
	return 1;
}

int
main(int argc, char **argv)
{
	const char *args[] = {argv[0], argc > 1 ? argv[1] : "100"};
	int err;
	struct et *h = et_open(ET_VERSION, &err);
	if (!h) {
		fprintf(stderr, "latency: %s\n", et_errmsg(NULL, err));
		return 1;
	}
	if (et_setopt(h, "quiet", NULL) != 0 || et_setopt(h, "switchrate", "10ms") != 0)
		return fail(h, "cannot set an option");
	struct et_prog *p = et_program_strcompile(h, program, ET_PROBESPEC_NAME, 0, 2, args);
	if (!p || et_program_exec(h, p, NULL) != 0)
		return fail(h, "cannot compile");
	if (et_go(h) != 0)
		return fail(h, "cannot start");
	enum et_workstatus status;
	do {
		et_sleep(h);
		status = et_work(h, stdout, NULL, NULL, NULL);
	} while (status == ET_WORKSTATUS_OKAY);
	if (status == ET_WORKSTATUS_ERROR || et_aggregate_walk(h, ET_AGGSORT_VAL, show, NULL) != 0)
		return fail(h, "cannot read the results");
	et_close(h);
	return 0;
}
