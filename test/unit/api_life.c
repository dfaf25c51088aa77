/* The public interface: life of a handle, calls at the wrong time, errors, callbacks, handlers. Only <erltrace.h>. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "erltrace.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static struct et *
open_with(const char *program)
{
	int err;
	struct et *h = et_open(ET_VERSION, &err);
	assert_non_null(h);
	struct et_prog *p = et_program_strcompile(h, program, ET_PROBESPEC_NAME, 0, 0, NULL);
	if (!p)
		fail_msg("%s", et_errmsg(h, et_errno(h)));
	assert_int_equal(et_program_exec(h, p, NULL), 0);
	return h;
}

/* Tracing is on: runs to the end; everything printed, on the heap. */
static char *
run_on(struct et *h, et_probe_cb *pcb, et_rec_cb *rcb, void *arg)
{
	char *text = NULL;
	size_t len;
	FILE *fp = open_memstream(&text, &len);
	enum et_workstatus s;
	do {
		et_sleep(h);
		s = et_work(h, fp, pcb, rcb, arg);
	} while (s == ET_WORKSTATUS_OKAY);
	if (s == ET_WORKSTATUS_ERROR)
		print_message("%s\n", et_errmsg(h, et_errno(h)));
	assert_int_equal(s, ET_WORKSTATUS_DONE);
	assert_int_equal(et_aggregate_print(h, fp, NULL, NULL), 0);
	fclose(fp);
	return text;
}

static char *
run(struct et *h, et_probe_cb *pcb, et_rec_cb *rcb, void *arg)
{
	if (et_go(h) != 0)
		fail_msg("%s", et_errmsg(h, et_errno(h)));
	return run_on(h, pcb, rcb, arg);
}

static void
expect_run(const char *program, const char *want)
{
	struct et *h = open_with(program);
	assert_int_equal(et_setopt(h, "quiet", NULL), 0);
	char *text = run(h, NULL, NULL, NULL);
	assert_string_equal(text, want);
	free(text);
	et_close(h);
}

static void
whole_life(void **state)
{
	(void)state;
	expect_run("BEGIN { printf(\"%d %s\\n\", 42, \"x\"); exit(3); } END { trace(\"end\"); }", "42 x\nend");
	expect_run("BEGIN { @a[\"k\", 1] = sum(5); @a[\"k\", 1] = sum(6); exit(0); }",
	    "  k                                                         1               11\n");
	expect_run("BEGIN { @a = count(); printa(\"%@d\\n\", @a); exit(0); }", "1\n");
	struct et *h = open_with("BEGIN { exit(3); }");
	assert_int_equal(et_status(h), ET_STATUS_NONE);
	free(run(h, NULL, NULL, NULL));
	assert_int_equal(et_status(h), ET_STATUS_EXITED);
	assert_int_equal(et_exit_status(h), 3);
	et_close(h);
}

/* However many arguments a printf() has, each is shown. */
static void
many_arguments(void **state)
{
	(void)state;
	char program[4096] = "BEGIN { printf(\"", want[1024] = "", *p = program + strlen(program), *w = want;
	for (int i = 0; i < 100; i++)
		p += sprintf(p, "%%d ");
	p += sprintf(p, "\"");
	for (int i = 0; i < 100; i++) {
		p += sprintf(p, ", %d", i);
		w += sprintf(w, "%d ", i);
	}
	sprintf(p, "); exit(0); }");
	expect_run(program, want);
}

static void
exit_in_begin_is_quick(void **state)
{
	(void)state;
	struct timespec a, b;
	struct et *h = open_with("BEGIN { exit(0); } tick-1ms { trace(1); }");
	et_setopt(h, "quiet", NULL);
	clock_gettime(CLOCK_MONOTONIC, &a);
	char *text = run(h, NULL, NULL, NULL);
	clock_gettime(CLOCK_MONOTONIC, &b);
	assert_string_equal(text, "");
	assert_true((b.tv_sec - a.tv_sec) * 1000 + (b.tv_nsec - a.tv_nsec) / 1000000 < 500);
	free(text);
	et_close(h);
}

static void
wrong_order(void **state)
{
	(void)state;
	int err = 0;
	assert_null(et_open(ET_VERSION + 1, &err));
	assert_int_equal(err, ET_EVERSION);
	et_close(NULL);
	struct et *h = et_open(ET_VERSION, NULL);
	assert_int_equal(et_go(h), -1);
	assert_int_equal(et_errno(h), ET_ENOPROG);
	assert_int_equal(et_stop(h), -1);
	assert_int_equal(et_errno(h), ET_EORDER);
	assert_int_equal(et_work(h, stdout, NULL, NULL, NULL), ET_WORKSTATUS_ERROR);
	assert_int_equal(et_errno(h), ET_EORDER);
	assert_int_equal(et_aggregate_snap(h), -1);
	assert_int_equal(et_aggregate_print(h, stdout, NULL, NULL), -1);
	assert_int_equal(et_consume(h, stdout, NULL, NULL, NULL), -1);
	et_sleep(h);
	struct et_prog *p = et_program_strcompile(h, "BEGIN { exit(0); }", ET_PROBESPEC_NAME, 0, 0, NULL);
	assert_non_null(p);
	/* Compiled but not enabled. */
	assert_int_equal(et_go(h), -1);
	assert_int_equal(et_errno(h), ET_ENOPROG);
	assert_int_equal(et_program_exec(h, p, NULL), 0);
	assert_int_equal(et_program_exec(h, p, NULL), -1);
	assert_int_equal(et_errno(h), ET_EORDER);
	assert_int_equal(et_go(h), 0);
	assert_int_equal(et_go(h), -1);
	assert_int_equal(et_errno(h), ET_EORDER);
	assert_null(et_program_strcompile(h, "BEGIN", ET_PROBESPEC_NAME, 0, 0, NULL));
	assert_int_equal(et_errno(h), ET_EORDER);
	assert_int_equal(et_setopt(h, "bufsize", "1m"), -1);
	assert_int_equal(et_errno(h), ET_EOPTLATE);
	assert_int_equal(et_setopt(h, "quiet", NULL), 0);
	assert_int_equal(et_work(h, NULL, NULL, NULL, NULL), ET_WORKSTATUS_ERROR);
	assert_int_equal(et_errno(h), ET_EINVAL);
	assert_int_equal(et_stop(h), 0);
	assert_int_equal(et_stop(h), 0);
	et_close(h);
}

static void
errors(void **state)
{
	(void)state;
	struct et *h = et_open(ET_VERSION, NULL);
	assert_null(et_program_strcompile(h, "BEGIN { x = ; }", ET_PROBESPEC_NAME, 0, 0, NULL));
	assert_int_equal(et_errno(h), ET_ECOMPILE);
	const struct et_diag *d = et_errdiag(h);
	assert_non_null(d);
	assert_string_equal(d->tag, "D_SYNTAX");
	assert_int_equal(d->line, 1);
	assert_non_null(strstr(et_errmsg(h, et_errno(h)), d->msg));
	/* The handle is as it was. */
	assert_non_null(et_program_strcompile(h, "BEGIN { x = 1; }", ET_PROBESPEC_NAME, 0, 0, NULL));
	assert_int_equal(et_setopt(h, "bufsiz", "1m"), -1);
	assert_int_equal(et_errno(h), ET_EOPTNAME);
	assert_non_null(strstr(et_errmsg(h, ET_EOPTNAME), "bufsize"));
	assert_null(et_errdiag(h));
	assert_int_equal(et_setopt(h, "bufsize", "many"), -1);
	assert_int_equal(et_errno(h), ET_EOPTVALUE);
	int64_t n;
	assert_int_equal(et_setopt(h, "bufsize", "64k"), 0);
	assert_int_equal(et_getopt(h, "bufsize", &n, NULL), 0);
	assert_int_equal(n, 65536);
	assert_int_equal(et_getopt(h, "nonsense", &n, NULL), -1);
	assert_null(et_program_strcompile(h, "nosuch:::probe { }", ET_PROBESPEC_NAME, 0, 0, NULL));
	assert_string_equal(et_errdiag(h)->tag, "D_PDESC_ZERO");
	assert_non_null(et_program_strcompile(h, "nosuch:::probe { }", ET_PROBESPEC_NAME, ET_C_ZDEFS, 0, NULL));
	assert_null(et_program_strcompile(h, "BEGIN", ET_PROBESPEC_NAME, 1u << 20, 0, NULL));
	assert_int_equal(et_errno(h), ET_EINVAL);
	assert_string_equal(et_errmsg(NULL, ET_ENOMEM), "out of memory");
	assert_string_equal(et_errmsg(NULL, 9999), "unknown error");
	et_close(h);
}

static void
destructive(void **state)
{
	(void)state;
	struct et *h = open_with("BEGIN { system(\"true\"); exit(0); }");
	assert_int_equal(et_go(h), -1);
	assert_int_equal(et_errno(h), ET_EDESTRUCTIVE);
	/* It may be allowed and tried again. */
	assert_int_equal(et_setopt(h, "destructive", NULL), 0);
	free(run(h, NULL, NULL, NULL));
	et_close(h);
}

static void
objects(void **state)
{
	(void)state;
	void *bytes;
	size_t len;
	struct et *h = et_open(ET_VERSION, NULL);
	assert_int_equal(et_program_save(h, &bytes, &len), -1);
	struct et_prog *p = et_program_strcompile(
	    h, "#pragma D option quiet\nBEGIN { trace(\"from an object\"); exit(1); }", ET_PROBESPEC_NAME, 0, 0, NULL);
	assert_non_null(p);
	assert_int_equal(et_program_save(h, &bytes, &len), 0);
	assert_true(et_is_object(bytes, len));
	assert_false(et_is_object("BEGIN", 5));
	char *listing = et_disasm(h, p);
	assert_non_null(listing);
	assert_true(strlen(listing) > 20);
	free(listing);
	et_close(h);
	h = et_open(ET_VERSION, NULL);
	assert_null(et_program_load(h, "junk", 4, "junk"));
	assert_int_equal(et_errno(h), ET_EOBJECT);
	p = et_program_load(h, bytes, len, "x.dobj");
	assert_non_null(p);
	free(bytes);
	assert_null(et_program_strcompile(h, "BEGIN", ET_PROBESPEC_NAME, 0, 0, NULL));
	assert_int_equal(et_errno(h), ET_EMIXED);
	struct et_proginfo info;
	assert_int_equal(et_program_exec(h, p, &info), 0);
	assert_int_equal(info.clauses, 1);
	assert_int_equal(info.matches, 1);
	char *text = run(h, NULL, NULL, NULL);
	assert_string_equal(text, "from an object");
	assert_int_equal(et_exit_status(h), 1);
	free(text);
	et_close(h);
}

static int
count_probe(struct et *h, const struct et_probe *p, void *arg)
{
	(void)h;
	assert_true(p->id > 0);
	++*(int *)arg;
	return 0;
}

static int
first_probe(struct et *h, const struct et_probe *p, void *arg)
{
	(void)h;
	*(uint32_t *)arg = p->id;
	return 7;
}

static void
probes(void **state)
{
	(void)state;
	struct et *h = et_open(ET_VERSION, NULL);
	int n = 0;
	uint32_t id = 0;
	assert_int_equal(et_probe_iter(h, "dtrace:::", ET_PROBESPEC_NAME, count_probe, &n), 3);
	assert_int_equal(n, 3);
	assert_int_equal(et_probe_iter(h, "dtrace", ET_PROBESPEC_PROVIDER, NULL, NULL), 3);
	assert_true(et_probe_iter(h, NULL, ET_PROBESPEC_NAME, NULL, NULL) >= 3);
	assert_int_equal(et_probe_iter(h, "BEGIN", ET_PROBESPEC_NAME, first_probe, &id), 7);
	assert_int_equal(id, 1);
	assert_int_equal(et_probe_iter(h, "2", ET_PROBESPEC_ID, first_probe, &id), 7);
	assert_int_equal(id, 2);
	assert_int_equal(et_probe_iter(h, "a:b:c:d:e", ET_PROBESPEC_NAME, NULL, NULL), -1);
	assert_int_equal(et_probe_iter(h, "x", ET_PROBESPEC_ID, NULL, NULL), -1);
	struct et_prog *p = et_program_strcompile(h, "BEGIN, END { } ERROR { }", ET_PROBESPEC_NAME, 0, 0, NULL);
	n = 0;
	assert_int_equal(et_program_probes(h, p, count_probe, &n), 3);
	struct et_proginfo info;
	assert_int_equal(et_program_info(h, p, &info), 0);
	assert_int_equal(info.clauses, 2);
	assert_int_equal(info.matches, 3);
	assert_false(info.destructive);
	et_close(h);
}

struct seen {
	int probes, recs, ends;
	char text[256];
	int64_t num;
};

static enum et_consume
on_probe(const struct et_probedata *d, void *arg)
{
	struct seen *s = arg;
	s->probes++;
	return strcmp(d->probe->name, "END") == 0 ? ET_CONSUME_NEXT : ET_CONSUME_THIS;
}

static enum et_consume
on_rec(const struct et_probedata *d, const struct et_recdata *rec, void *arg)
{
	struct seen *s = arg;
	(void)d;
	if (!rec) {
		s->ends++;
		return ET_CONSUME_THIS;
	}
	s->recs++;
	if (strcmp(rec->action, "printf") == 0) {
		snprintf(s->text, sizeof s->text, "%s", rec->text);
		assert_int_equal(rec->nvalues, 1);
		assert_int_equal(rec->values[0].kind, ET_K_INT);
		s->num = rec->values[0].num;
		return ET_CONSUME_NEXT;
	}
	return ET_CONSUME_THIS;
}

static enum et_consume
abort_rec(const struct et_probedata *d, const struct et_recdata *rec, void *arg)
{
	(void)d;
	(void)rec;
	(void)arg;
	return ET_CONSUME_ABORT;
}

static void
callbacks(void **state)
{
	(void)state;
	struct seen s = {0};
	struct et *h = open_with("BEGIN { printf(\"n=%d\\n\", 7); trace(\"shown\"); exit(0); } END { trace(1); }");
	char *text = run(h, on_probe, on_rec, &s);
	assert_int_equal(s.probes, 2);
	assert_int_equal(s.ends, 1);
	assert_int_equal(s.recs, 3);
	assert_string_equal(s.text, "n=7\n");
	assert_int_equal(s.num, 7);
	assert_string_equal(text, "  shown                            ");
	free(text);
	et_close(h);
	h = open_with("BEGIN { trace(1); exit(0); }");
	assert_int_equal(et_go(h), 0);
	assert_int_equal(et_work(h, stdout, NULL, abort_rec, NULL), ET_WORKSTATUS_ERROR);
	assert_int_equal(et_errno(h), ET_EABORT);
	et_close(h);
}

static enum et_handle
on_err(const struct et_errdata *e, void *arg)
{
	snprintf(arg, 256, "%d %d %s", e->fault, e->action, e->msg);
	return ET_HANDLE_OK;
}

static enum et_handle
on_buffered(const struct et_bufdata *d, void *arg)
{
	strncat(arg, d->text, 255 - strlen(arg));
	return ET_HANDLE_OK;
}

static enum et_handle
on_setopt(const struct et_setoptdata *d, void *arg)
{
	snprintf(arg, 256, "%s %s %s", d->option, d->oldval, d->newval);
	return ET_HANDLE_OK;
}

static enum et_handle
on_drop(const struct et_dropdata *d, void *arg)
{
	snprintf(arg, 256, "%d %s", d->kind, d->msg);
	return ET_HANDLE_OK;
}

static void
handlers(void **state)
{
	(void)state;
	char err[256] = "", buf[256] = "", opt[256] = "", drop[256] = "";
	struct et *h =
	    open_with("BEGIN { trace(*(int *)0); } BEGIN { setopt(\"quiet\"); i = speculation(); i = speculation(); "
		      "exit(0); } END { printf(\"out\"); }");
	et_setopt(h, "droptags", NULL);
	et_handle_err(h, on_err, err);
	et_handle_buffered(h, on_buffered, buf);
	et_handle_setopt(h, on_setopt, opt);
	et_handle_drop(h, on_drop, drop);
	assert_int_equal(et_go(h), 0);
	assert_int_equal(et_work(h, NULL, NULL, NULL, NULL), ET_WORKSTATUS_DONE);
	assert_non_null(
	    strstr(err, "1 1 error on enabled probe ID 1 (ID 1: dtrace:::BEGIN): invalid address (0x0) in action #1"));
	assert_string_equal(opt, "quiet 0 1");
	assert_non_null(strstr(buf, "out"));
	assert_string_equal(
	    drop, "5 [DTRACEDROP_SPECUNAVAIL] 1 failed speculation (no speculative buffer available)\n");
	et_close(h);
}

static enum et_aggwalk
sum_walk(struct et_aggdata *a, void *arg)
{
	assert_string_equal(a->name, "a");
	assert_int_equal(a->nkeys, 1);
	*(int64_t *)arg = *(int64_t *)arg * 10 + a->keys[0].num;
	return a->keys[0].num == 2 ? ET_AGGWALK_REMOVE : ET_AGGWALK_NEXT;
}

static enum et_aggwalk
bucket_walk(struct et_aggdata *a, void *arg)
{
	int64_t lo, hi, n = 0;
	assert_string_equal(et_agg_name(a->fn), "quantize");
	for (unsigned i = 0; i < a->nbuckets; i++)
		if (et_agg_bucket(a, i, &lo, &hi)) {
			assert_int_equal(lo, 4);
			assert_int_equal(hi, 7);
			n++;
		}
	*(int64_t *)arg = n;
	return ET_AGGWALK_NEXT;
}

static enum et_aggwalk
join_walk(struct et_aggdata *a, unsigned n, void *arg)
{
	assert_int_equal(n, 2);
	assert_int_equal(a[0].nkeys, 1);
	*(int64_t *)arg = *(int64_t *)arg * 100 + a[0].value * 10 + a[1].value;
	return ET_AGGWALK_NEXT;
}

static void
walks(void **state)
{
	(void)state;
	int64_t v = 0;
	struct et *h = open_with("BEGIN { @a[1] = sum(30); @a[2] = sum(10); @a[3] = sum(20); exit(0); }");
	assert_int_equal(et_go(h), 0);
	assert_int_equal(et_work(h, stdout, NULL, NULL, NULL), ET_WORKSTATUS_DONE);
	assert_int_equal(et_aggregate_walk(h, ET_AGGSORT_VAL, sum_walk, &v), 0);
	assert_int_equal(v, 231);
	v = 0;
	assert_int_equal(et_aggregate_walk(h, ET_AGGSORT_KEYREV, sum_walk, &v), 0);
	assert_int_equal(v, 31);
	assert_int_equal(et_aggregate_clear(h), 0);
	et_close(h);
	h = open_with("BEGIN { @q = quantize(5); exit(0); }");
	et_go(h);
	et_work(h, stdout, NULL, NULL, NULL);
	assert_int_equal(et_aggregate_walk(h, ET_AGGSORT_NONE, bucket_walk, &v), 0);
	assert_int_equal(v, 1);
	et_close(h);
	h = open_with("BEGIN { @a[1] = sum(1); @b[1] = sum(2); @b[2] = sum(3); exit(0); }");
	et_go(h);
	et_work(h, stdout, NULL, NULL, NULL);
	v = 0;
	assert_int_equal(et_aggregate_walk_joined(h, (const char *const[]){"a", "b"}, 2, join_walk, &v), 0);
	assert_int_equal(v, 3 * 100 + 12);
	assert_int_equal(et_aggregate_walk_joined(h, (const char *const[]){"a", "nope"}, 2, join_walk, &v), -1);
	assert_int_equal(et_errno(h), ET_EINVAL);
	et_close(h);
}

static void *
interrupt_later(void *arg)
{
	usleep(20000);
	et_interrupt(arg);
	return NULL;
}

static void
interrupting(void **state)
{
	(void)state;
	pthread_t t;
	struct et *h = open_with("tick-1ms { @ = count(); } END { printf(\"end\"); }");
	et_setopt(h, "quiet", NULL);
	assert_int_equal(et_go(h), 0); /* an interrupt before that ends the start */
	assert_int_equal(pthread_create(&t, NULL, interrupt_later, h), 0);
	char *text = run_on(h, NULL, NULL, NULL);
	pthread_join(t, NULL);
	assert_int_equal(strncmp(text, "end", 3), 0);
	assert_int_equal(et_status(h), ET_STATUS_STOPPED);
	assert_int_equal(et_exit_status(h), 0);
	free(text);
	et_close(h);
	/* Closing while probes fire. */
	h = open_with("tick-1ms { @ = count(); }");
	assert_int_equal(et_go(h), 0);
	usleep(3000);
	et_close(h);
}

static void
write_errors(void **state)
{
	(void)state;
	FILE *full = fopen("/dev/full", "w");
	struct et *h = open_with("BEGIN { printf(\"x\"); exit(0); }");
	assert_non_null(full);
	assert_int_equal(et_go(h), 0);
	assert_int_equal(et_work(h, full, NULL, NULL, NULL), ET_WORKSTATUS_ERROR);
	assert_int_equal(et_errno(h), ET_EWRITE);
	et_close(h);
	fclose(full);
}

static void
json_output(void **state)
{
	(void)state;
	struct et *h = open_with(
	    "BEGIN { printf(\"%s\", \"q\\\"\"); @a[\"k\"] = count(); @q = lquantize(5, 0, 10, 5); exit(0); }");
	et_setopt(h, "json", NULL);
	char *text = run(h, NULL, NULL, NULL);
	char *line = strtok(text, "\n");
	assert_non_null(strstr(line, "\"type\":\"record\""));
	assert_non_null(strstr(line,
	    "\"probe\":{\"id\":1,\"provider\":\"dtrace\",\"module\":\"\",\"function\":\"\",\"name\":\"BEGIN\"},\"actions\":["
	    "{\"action\":\"printf\",\"format\":\"%s\",\"values\":[\"q\\\"\"],\"text\":\"q\\\"\"},"
	    "{\"action\":\"exit\",\"values\":[0]}]}"));
	line = strtok(NULL, "\n");
	assert_string_equal(
	    line, "{\"type\":\"aggregation\",\"name\":\"a\",\"function\":\"count\",\"keys\":[\"k\"],\"value\":1}");
	line = strtok(NULL, "\n");
	assert_string_equal(line, "{\"type\":\"aggregation\",\"name\":\"q\",\"function\":\"lquantize\",\"keys\":[],"
				  "\"buckets\":[{\"low\":5,\"high\":9,\"count\":1}]}");
	assert_null(strtok(NULL, "\n"));
	free(text);
	et_close(h);
}

static enum et_handle
on_fault(const struct et_errdata *e, void *arg)
{
	(void)e;
	(void)arg;
	return ET_HANDLE_OK;
}

static void *
interrupt_soon(void *h)
{
	usleep(50000);
	et_interrupt(h);
	return NULL;
}

/* A program whose clauses each match every probe there is takes minutes to compile, unless somebody says stop. */
static void
interrupted_compiling(void **state)
{
	(void)state;
	enum { CLAUSES = 100000 };
	static const char clause[] = "*:::{x=1}\n";
	size_t n = sizeof clause - 1;
	char *program = malloc(CLAUSES * n + 1);
	assert_non_null(program);
	for (size_t i = 0; i < CLAUSES; i++)
		memcpy(program + i * n, clause, n);
	program[CLAUSES * n] = '\0';
	struct et *h = et_open(ET_VERSION, NULL);
	pthread_t other;
	assert_int_equal(pthread_create(&other, NULL, interrupt_soon, h), 0);
	struct timespec a, b;
	clock_gettime(CLOCK_MONOTONIC, &a);
	assert_null(et_program_strcompile(h, program, ET_PROBESPEC_NAME, 0, 0, NULL));
	clock_gettime(CLOCK_MONOTONIC, &b);
	pthread_join(other, NULL);
	assert_int_equal(et_errno(h), ET_EINTERRUPTED);
	assert_string_equal(et_errmsg(h, et_errno(h)), "interrupted");
	assert_true(b.tv_sec - a.tv_sec < 8);
	/* and so does everything after it that looks for probes */
	assert_int_equal(et_probe_iter(h, NULL, ET_PROBESPEC_NAME, NULL, NULL), -1);
	assert_int_equal(et_errno(h), ET_EINTERRUPTED);
	et_close(h);
	free(program);
}

static int
on_provider(struct et *h, const struct et_probe *p, void *arg)
{
	(void)h;
	(void)arg;
	if (strcmp(p->provider, "dtrace") != 0 && strcmp(p->provider, "profile") != 0 &&
	    strcmp(p->provider, "tick") != 0)
		fail_msg("%s:%s:%s:%s is listed", p->provider, p->module, p->function, p->name);
	return 0;
}

static void
expect_refused(const char *program, const char *want)
{
	struct et *h = et_open(ET_VERSION, NULL);
	assert_int_equal(et_confine(h, "not for you"), 0);
	struct et_prog *p = et_program_strcompile(h, program, ET_PROBESPEC_NAME, 0, 0, NULL);
	if (p && et_program_exec(h, p, NULL) == 0 && et_go(h) == 0)
		fail_msg("it runs: %s", program);
	if (!strstr(et_errmsg(h, et_errno(h)), want))
		fail_msg("%s: %s", program, et_errmsg(h, et_errno(h)));
	et_close(h);
}

/* Nothing is listed; want "": and it is no error. */
static void
expect_unlisted(const char *desc, const char *want)
{
	struct et *h = et_open(ET_VERSION, NULL);
	assert_int_equal(et_confine(h, "not for you"), 0);
	int n = et_probe_iter(h, desc, ET_PROBESPEC_NAME, NULL, NULL);
	assert_int_equal(n, *want ? -1 : 0);
	if (n < 0)
		assert_string_equal(et_errmsg(h, et_errno(h)), want);
	et_close(h);
}

/* Whether the library has the kernel's probes. */
static bool
has_kernel(void)
{
	struct et *h = et_open(ET_VERSION, NULL);
	int n = et_probe_iter(h, "syscall:::", ET_PROBESPEC_NAME, NULL, NULL);
	et_close(h);
	return n > 0;
}

/* A confined handle knows nothing of the kernel, of other processes, or of this one's memory. */
static void
confined(void **state)
{
	(void)state;
	struct et *h = et_open(ET_VERSION, NULL);
	assert_int_equal(et_confine(h, "not for you"), 0);
	assert_true(et_probe_iter(h, NULL, ET_PROBESPEC_NAME, on_provider, NULL) > 0);
	et_close(h);
	if (has_kernel()) {
		expect_refused("syscall::openat:entry { }", "not for you");
		expect_refused("fbt::vfs_read:entry { }", "not for you");
		expect_refused("#pragma D option engine=kernel\nBEGIN { }", "not for you");
		expect_refused("profile-97 { @[ustack()] = count(); }", "not for you");
		/* the same words whether there is such a file or process, or not */
		expect_refused("pid1:::entry { }", "not for you");
		expect_refused("pid99999999:::entry { }", "not for you");
		expect_unlisted("pid1:/etc/passwd:main:entry", "not for you");
		expect_unlisted("pid1:/no/such/file:main:entry", "not for you");
		expect_unlisted("usdt*:/etc/passwd::x", "not for you");
		expect_unlisted("usdt*:/no/such/file::x", "not for you");
	}
	expect_unlisted("shop*:/etc/passwd::x", "");
	expect_unlisted("shop*:/no/such/file::x", "");
	char program[128];
	static const char secret[] = "the secret of another";
	snprintf(
	    program, sizeof program, "BEGIN { trace(copyinstr(%p)); exit(0); } ERROR { exit(7); }", (void *)secret);
	for (int is = 0; is < 2; is++) {
		h = et_open(ET_VERSION, NULL);
		if (is)
			assert_int_equal(et_confine(h, "not for you"), 0);
		et_setopt(h, "quiet", NULL);
		et_handle_err(h, on_fault, NULL);
		struct et_prog *p = et_program_strcompile(h, program, ET_PROBESPEC_NAME, 0, 0, NULL);
		assert_non_null(p);
		assert_int_equal(et_confine(h, "too late"), -1);
		assert_int_equal(et_errno(h), ET_EORDER);
		assert_int_equal(et_program_exec(h, p, NULL), 0);
		char *text = run(h, NULL, NULL, NULL);
		assert_string_equal(text, is ? "" : secret);
		assert_int_equal(et_exit_status(h), is ? 7 : 0);
		free(text);
		et_close(h);
	}
}

struct room {
	int64_t used, most;
	uint64_t dropped;
	char msg[128];
};

static bool
on_memory(int64_t bytes, void *arg)
{
	struct room *r = arg;
	if (bytes > 0 && r->used + bytes > r->most)
		return false;
	r->used += bytes;
	return true;
}

static enum et_handle
on_no_room(const struct et_dropdata *d, void *arg)
{
	struct room *r = arg;
	assert_int_equal(d->kind, ET_DROP_MEMORY);
	r->dropped += d->drops;
	assert_int_equal(d->total, r->dropped);
	snprintf(r->msg, sizeof r->msg, "%s", d->msg);
	return ET_HANDLE_OK;
}

/* Elements for which there is no room are dropped and counted; those that are there go on; all is given back. */
static void
limited_memory(void **state)
{
	(void)state;
	struct room room = {.most = 100000};
	struct et *h =
	    open_with("BEGIN { @w[1] = lquantize(5, 0, 10000, 1); @w[2] = lquantize(5, 0, 10000, 1);"
		      " @w[2] = lquantize(5, 0, 10000, 1); @c[\"a\"] = count(); @c[\"a\"] = count(); exit(0); }");
	et_setopt(h, "quiet", NULL);
	et_handle_memory(h, on_memory, &room);
	et_handle_drop(h, on_no_room, &room);
	char *text = run(h, NULL, NULL, NULL);
	/* one of the two distributions has 80 kB */
	assert_true(room.used > 80000 && room.used <= room.most);
	assert_true(room.dropped == 1 || room.dropped == 2);
	assert_non_null(strstr(room.msg, "the memory for what was aggregated is full"));
	assert_non_null(strstr(text, "a                                                                 2\n"));
	free(text);
	et_close(h);
	assert_int_equal(room.used, 0);
}

static void
file_actions(void **state)
{
	(void)state;
	static const struct {
		const char *program;
		bool files;
	} rows[] = {{"BEGIN { trace(1); }", false}, {"BEGIN { ftruncate(); }", true},
	    {"BEGIN { trace(1); } END { freopen(\"/tmp/x\"); }", true}};
	for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct et_proginfo info;
		struct et *h = et_open(ET_VERSION, NULL);
		struct et_prog *p = et_program_strcompile(h, rows[i].program, ET_PROBESPEC_NAME, 0, 0, NULL);
		assert_non_null(p);
		assert_int_equal(et_program_info(h, p, &info), 0);
		assert_int_equal(info.files, rows[i].files);
		et_close(h);
	}
}

static enum et_where
where(const char *program, enum et_probespec spec)
{
	int err;
	struct et *h = et_open(ET_VERSION, &err);
	assert_non_null(h);
	enum et_where w = et_program_where(h, program, NULL, spec, 0, 0, NULL);
	et_close(h);
	return w;
}

/* What a script needs is in its descriptions, not in its words. */
static void
where_its_probes_are(void **state)
{
	(void)state;
	assert_int_equal(where("BEGIN { trace(1); } tick-1s { exit(0); }", ET_PROBESPEC_NAME), ET_WHERE_ANY);
	assert_int_equal(where("erlang*:::message-send { @ = count(); }", ET_PROBESPEC_NAME), ET_WHERE_NODE);
	assert_int_equal(where("erlang$target:lists:seq/2:entry", ET_PROBESPEC_NAME), ET_WHERE_NODE);
	assert_int_equal(where("erlang", ET_PROBESPEC_PROVIDER), ET_WHERE_NODE);
	assert_int_equal(
	    where("/* not of erlang */ BEGIN { trace(\"erlang:::x\"); trace($1); }", ET_PROBESPEC_NAME), ET_WHERE_ANY);
	/* eproc is a process of a node, also where profile-97 fires */
	assert_int_equal(where("profile-97 { @[eproc] = count(); }", ET_PROBESPEC_NAME), ET_WHERE_NODE);
	assert_int_equal(
	    where("BEGIN { eprocs = 1; self->eproc = 1; trace(\"eproc\"); }", ET_PROBESPEC_NAME), ET_WHERE_ANY);
	/* those before a mistake count; without any it may be anywhere */
	assert_int_equal(where("erlang*:::message-send { x = 1; } BEGIN { = }", ET_PROBESPEC_NAME), ET_WHERE_NODE);
	assert_int_equal(where("BEGIN { = }", ET_PROBESPEC_NAME), ET_WHERE_BOTH);
	/* a type that the script declares is known to what follows */
	assert_int_equal(where("typedef struct pair { int a; } pair_t; erlang*:::trace { trace(((pair_t *)arg0)->a); }",
			     ET_PROBESPEC_NAME),
	    ET_WHERE_NODE);
	if (where("syscall:::entry", ET_PROBESPEC_NAME) == ET_WHERE_ANY)
		return; /* built without the kernel engine */
	assert_int_equal(where("syscall::read:entry { } BEGIN { }", ET_PROBESPEC_NAME), ET_WHERE_KERNEL);
	assert_int_equal(where("pid$target:libc::entry", ET_PROBESPEC_NAME), ET_WHERE_KERNEL);
	assert_int_equal(where("BEGIN { self->proc = 1; trace(io); }", ET_PROBESPEC_NAME), ET_WHERE_ANY);
	assert_int_equal(where("sched:::on-cpu { trace(eproc); }", ET_PROBESPEC_NAME), ET_WHERE_KERNEL);
	assert_int_equal(where("sched:::on-cpu { } erlang*:::process-spawn { }", ET_PROBESPEC_NAME), ET_WHERE_BOTH);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(where_its_probes_are),
	    cmocka_unit_test(whole_life),
	    cmocka_unit_test(exit_in_begin_is_quick),
	    cmocka_unit_test(wrong_order),
	    cmocka_unit_test(errors),
	    cmocka_unit_test(destructive),
	    cmocka_unit_test(objects),
	    cmocka_unit_test(probes),
	    cmocka_unit_test(callbacks),
	    cmocka_unit_test(handlers),
	    cmocka_unit_test(walks),
	    cmocka_unit_test(interrupting),
	    cmocka_unit_test(write_errors),
	    cmocka_unit_test(json_output),
	    cmocka_unit_test(many_arguments),
	    cmocka_unit_test(interrupted_compiling),
	    cmocka_unit_test(confined),
	    cmocka_unit_test(limited_memory),
	    cmocka_unit_test(file_actions),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
