/*
 * From an engine's records to lines: order of time over shards, the default
 * columns, flow indentation, messages. The engine here is a script of records.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "consume/consume.h"

#include <stdlib.h>
#include <string.h>

struct entry {
	unsigned shard;
	uint32_t epid;
	uint64_t time;
	int32_t value;
	int fault; /* 0: none */
};

static struct script {
	const struct entry *at;
	unsigned n;
	uint64_t drops[2][ENG_NDROPS];
} script;

static void
drain(struct engine *e, void (*fn)(void *arg, unsigned shard, const struct eng_rec *r), void *arg)
{
	(void)e;
	for (unsigned i = 0; i < script.n; i++) {
		const struct entry *x = &script.at[i];
		int64_t data = x->value;
		struct eng_rec r = {
		    .epid = x->epid, .cpu = x->shard, .time = x->time, .data = (const char *)&data, .fault = -1};
		if (x->fault) {
			r.fault = x->fault;
			r.fault_action = (uint32_t)x->value;
			r.fault_pc = 12;
			r.fault_value = 0x40;
			r.data = NULL;
		}
		fn(arg, x->shard, &r);
	}
	script.n = 0;
}

/* Epids 1 … 5: BEGIN, END, f:entry, f:return, f:entry again (a second clause). All have one number. */
static const struct eng_epid epids[] = {{0, 0, 0}, {0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}, {2, 1, 0}, {4, 0, 0}};
static const struct et_probe probes[] = {
    {.id = 1, .provider = "dtrace", .module = "", .function = "", .name = "BEGIN"},
    {.id = 2, .provider = "dtrace", .module = "", .function = "", .name = "END"},
    {.id = 10, .provider = "fbt", .module = "m", .function = "f", .name = "entry"},
    {.id = 11, .provider = "fbt", .module = "m", .function = "f", .name = "return"},
    {.id = 12, .provider = "syscall", .module = "", .function = "read", .name = "entry"},
};

static const struct eng_epid *
epid(struct engine *e, uint32_t id)
{
	(void)e;
	return id > 0 && id < sizeof epids / sizeof *epids ? &epids[id] : NULL;
}

static uint64_t
shard_drops(struct engine *e, unsigned shard, enum eng_drop why)
{
	(void)e;
	return script.drops[shard][why];
}

static const struct engine_ops ops = {.name = "script", .drain = drain, .epid = epid, .shard_drops = shard_drops};
static struct dobj_field fields[] = {{.kind = DK_INT, .is_signed = 1, .size = 4, .type = DOBJ_NONE}};
static struct dobj_act acts[] = {{.kind = DA_TRACE, .fmt = DOBJ_NONE, .field = 0, .nfields = 1}};
static struct dobj_group groups[] = {{.act = 0, .nacts = 1, .field = 0, .nfields = 1, .recsize = 8, .records = 1}};
static const struct dobj obj = {
    .fields = fields, .nfields = 1, .acts = acts, .nacts = 1, .groups = groups, .ngroups = 1};

struct setup {
	struct opts opts;
	struct cs_handlers on;
	struct consumer c;
	char *text;
	size_t len;
	struct cs_to to;
	char messages[1024];
};

static enum et_handle
on_err(const struct et_errdata *e, void *arg)
{
	strcat(arg, e->msg);
	return ET_HANDLE_OK;
}

static enum et_handle
on_drop(const struct et_dropdata *d, void *arg)
{
	strcat(arg, d->msg);
	return ET_HANDLE_OK;
}

static void
start(struct setup *s)
{
	*s = (struct setup){0};
	memset(&script, 0, sizeof script);
	opts_init(&s->opts);
	s->on = (struct cs_handlers){.err = on_err, .errarg = s->messages, .drop = on_drop, .droparg = s->messages};
	assert_true(cs_init(&s->c, NULL, &obj, &s->opts, &s->on));
	assert_true(cs_use_engine(&s->c, NULL, &ops));
	s->c.probes = probes;
	s->c.nprobes = 5;
	s->c.nshards = 2;
	s->to.fp = open_memstream(&s->text, &s->len);
}

static void
records(struct setup *s, const struct entry *e, unsigned n, uint64_t until, bool final)
{
	script.at = e;
	script.n = n;
	assert_int_equal(cs_records(&s->c, &s->to, until, final), 0);
}

static void
finish(struct setup *s, const char *want)
{
	fclose(s->to.fp);
	assert_string_equal(s->text, want);
	free(s->text);
	cs_free(&s->c);
	opts_free(&s->opts);
}

static void
in_order_of_time(void **state)
{
	(void)state;
	struct setup s;
	start(&s);
	opts_set(&s.opts, "quiet", NULL);
	static const struct entry first[] = {
	    {0, 3, 10, 1, 0},
	    {0, 3, 30, 3, 0},
	    {0, 3, 50, 6, 0},
	    {1, 3, 20, 2, 0},
	    {1, 3, 40, 4, 0},
	};
	/* What is newer than 45 waits, for shard 1 may hand in a 47 yet. */
	records(&s, first, 5, 45, false);
	fflush(s.to.fp);
	assert_string_equal(s.text, "1234");
	static const struct entry second[] = {{0, 3, 60, 7, 0}, {1, 3, 47, 5, 0}};
	records(&s, second, 2, 55, false);
	fflush(s.to.fp);
	assert_string_equal(s.text, "123456");
	records(&s, NULL, 0, 0, true);
	/* A committed speculation is older than what stands before it in its shard, and stays there. */
	static const struct entry third[] = {{0, 3, 100, 8, 0}, {0, 3, 70, 9, 0}, {1, 3, 90, 0, 0}};
	records(&s, third, 3, 0, true);
	finish(&s, "1234567089");
}

static void
shard_by_shard(void **state)
{
	(void)state;
	struct setup s;
	start(&s);
	opts_set(&s.opts, "quiet", NULL);
	assert_int_equal(opts_set(&s.opts, "temporal", "0"), OPT_OK);
	static const struct entry e[] = {
	    {0, 2, 90, 9, 0},
	    {0, 3, 50, 5, 0},
	    {1, 3, 20, 2, 0},
	    {1, 1, 1, 1, 0},
	    {1, 3, 10, 3, 0},
	};
	records(&s, e, 5, 5, false);
	finish(&s, "15239");
}

static void
columns(void **state)
{
	(void)state;
	struct setup s;
	start(&s);
	static const struct entry e[] = {{0, 1, 10, 7, 0}, {1, 3, 20, -1, 0}};
	records(&s, e, 2, 0, true);
	finish(&s, "CPU     ID                    FUNCTION:NAME\n"
		   "  0      1                           :BEGIN         7\n"
		   "  1     10                          f:entry        -1\n");
}

static void
flow(void **state)
{
	(void)state;
	struct setup s;
	start(&s);
	opts_set(&s.opts, "flowindent", NULL);
	static const struct entry e[] = {
	    {0, 3, 10, 1, 0},
	    {0, 5, 10, 2, 0},
	    {0, 6, 15, 3, 0},
	    {0, 1, 20, 4, 0},
	    {0, 4, 30, 5, 0},
	    {0, 4, 40, 6, 0},
	};
	records(&s, e, 6, 0, true);
	finish(&s, "CPU FUNCTION                                 \n"
		   "  0  -> f                                             1\n"
		   "  0   | f:entry                                       2\n"
		   "  0    => read                                        3\n"
		   "  0     | :BEGIN                                      4\n"
		   "  0    <- f                                           5\n"
		   "  0  <- f                                             6\n");
}

static void
messages(void **state)
{
	(void)state;
	struct setup s;
	start(&s);
	static const struct entry e[] = {{0, 3, 10, 1, DIF_FAULT_BADADDR}, {0, 1, 20, 0, DIF_FAULT_DIVZERO}};
	records(&s, e, 2, 0, true);
	struct eng_status st = {0};
	script.drops[1][ENG_DROP_PRINCIPAL] = st.drops[ENG_DROP_PRINCIPAL] = 1;
	script.drops[0][ENG_DROP_DYNAMIC] = 2;
	script.drops[1][ENG_DROP_DYNAMIC] = 1;
	st.drops[ENG_DROP_DYNAMIC] = 3;
	assert_int_equal(cs_drops(&s.c, &st), 0);
	opts_set(&s.opts, "droptags", NULL);
	script.drops[0][ENG_DROP_AGGREGATION] = st.drops[ENG_DROP_AGGREGATION] = 5;
	script.drops[1][ENG_DROP_PRINCIPAL] = st.drops[ENG_DROP_PRINCIPAL] = 3;
	assert_int_equal(cs_drops(&s.c, &st), 0);
	assert_string_equal(s.messages,
	    "error on enabled probe ID 3 (ID 10: fbt:m:f:entry): invalid address (0x40) in action #1 at DIF offset 12\n"
	    "error on enabled probe ID 1 (ID 1: dtrace:::BEGIN): divide-by-zero in predicate at DIF offset 12\n"
	    "1 drop on CPU 1\n"
	    "3 dynamic variable drops\n"
	    "[DTRACEDROP_PRINCIPAL] 2 drops on CPU 1\n"
	    "[DTRACEDROP_AGGREGATION] 5 aggregation drops on CPU 0\n");
	finish(&s, "");
}

static void
unknown_epids(void **state)
{
	(void)state;
	struct setup s;
	start(&s);
	static const struct entry e[] = {{0, 99, 10, 1, 0}, {0, 0, 10, 1, 0}};
	records(&s, e, 2, 0, true);
	finish(&s, "");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(in_order_of_time),
	    cmocka_unit_test(shard_by_shard),
	    cmocka_unit_test(columns),
	    cmocka_unit_test(flow),
	    cmocka_unit_test(messages),
	    cmocka_unit_test(unknown_epids),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
