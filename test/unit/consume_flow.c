/*
 * Flow indentation by process and by thread: who is inside a function is remembered, others are not, and not too many.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "consume/consume.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Enabled probe ids: BEGIN, f:entry, f:return, f:entry and f:return again (a second clause), syscall read:entry; and
 * f:entry as a program has it that was compiled without the option. */
enum { BEGIN = 1, ENTRY, RETURN, ENTRY2, RETURN2, READ, PLAIN };
static const struct eng_epid epids[] = {
    {0, 0, 0}, {0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}, {1, 0, 1}};
static const struct et_probe probes[] = {
    {.id = 1, .provider = "dtrace", .module = "", .function = "", .name = "BEGIN"},
    {.id = 10, .provider = "erlang", .module = "m", .function = "f/1", .name = "entry"},
    {.id = 11, .provider = "erlang", .module = "m", .function = "f/1", .name = "return"},
    {.id = 12, .provider = "syscall", .module = "", .function = "read", .name = "entry"},
};

static const struct eng_epid *
epid(struct engine *e, uint32_t id)
{
	(void)e;
	return id > 0 && id < sizeof epids / sizeof *epids ? &epids[id] : NULL;
}

static const struct engine_ops ops = {.name = "none", .epid = epid};
static struct dobj_field fields[] = {
    {.kind = DK_STRING, .size = NODE_EPROC, .type = DOBJ_NONE, .arg = DOBJ_WHOSE},
    {.kind = DK_INT, .is_signed = 1, .size = 4, .offset = NODE_EPROC, .type = DOBJ_NONE},
};
static struct dobj_act acts[] = {
    {.kind = DA_DEFAULT, .fmt = DOBJ_NONE},
    {.kind = DA_FLOW, .fmt = DOBJ_NONE, .field = 0, .nfields = 2},
    {.kind = DA_DEFAULT, .fmt = DOBJ_NONE},
};
static struct dobj_group groups[] = {
    {.act = 0, .nacts = 2, .field = 0, .nfields = 2, .recsize = NODE_EPROC + 8, .records = 1},
    {.act = 2, .nacts = 1, .records = 1},
};
static const struct dobj obj = {
    .fields = fields, .nfields = 2, .acts = acts, .nacts = 3, .groups = groups, .ngroups = 2};

struct setup {
	struct opts opts;
	struct cs_handlers on;
	struct consumer c;
	char bytes[2 * (NODE_EPROC + 8)];
};

static void
start(struct setup *s)
{
	*s = (struct setup){0};
	opts_init(&s->opts);
	assert_true(cs_init(&s->c, NULL, &obj, &s->opts, &s->on));
	assert_true(cs_use_engine(&s->c, NULL, &ops));
	s->c.probes = probes;
	s->c.nprobes = sizeof probes / sizeof *probes;
}

static void
finish(struct setup *s)
{
	s->c.store.bytes = NULL;
	cs_free(&s->c);
	opts_free(&s->opts);
}

/* A record in the half `at` of the store. */
static struct cs_rec
record(struct setup *s, unsigned at, uint32_t id, const char *process, int32_t tid)
{
	struct cs_rec r = {.r = {.epid = id, .fault = -1}, .off = at * (NODE_EPROC + 8)};
	char *data = s->bytes + r.off;
	memset(data, 0, NODE_EPROC + 8);
	snprintf(data, NODE_EPROC, "%s", process);
	memcpy(data + NODE_EPROC, &tid, sizeof tid);
	s->c.store.bytes = s->bytes;
	return r;
}

static unsigned
show(struct setup *s, const struct cs_rec *r, const struct cs_rec *next, enum et_flow want)
{
	struct et_probedata d = {.probe = cs_probe_of(&s->c, r->r.epid), .epid = r->r.epid};
	struct cs_whose whose;
	assert_int_equal(cs_flow(&s->c, &d, r, next, &whose), 0);
	assert_int_equal(d.flow, want);
	assert_ptr_equal(d.process, whose.process);
	return d.indent;
}

/* Returns the columns of a record that no other follows. */
static unsigned
one(struct setup *s, uint32_t id, const char *process, int32_t tid)
{
	struct cs_rec r = record(s, 0, id, process, tid);
	return show(s, &r, NULL,
	    id == ENTRY || id == READ || id == PLAIN ? ET_FLOW_ENTRY
	    : id == RETURN                           ? ET_FLOW_RETURN
						     : ET_FLOW_NONE);
}

static void
each_process_by_itself(void **state)
{
	(void)state;
	struct setup s;
	start(&s);
	assert_int_equal(one(&s, ENTRY, "<0.1.0>", 7), 0);
	assert_int_equal(one(&s, ENTRY, "<0.2.0>", 7), 0);
	assert_int_equal(one(&s, READ, "<0.1.0>", 8), 2); /* the process decides, not the thread */
	assert_int_equal(one(&s, ENTRY, "<0.2.0>", 8), 2);
	assert_int_equal(one(&s, ENTRY, "<0.1.0>", 7), 4);
	assert_int_equal(one(&s, RETURN, "<0.2.0>", 7), 2);
	assert_int_equal(one(&s, RETURN, "<0.2.0>", 7), 0);
	assert_int_equal(one(&s, RETURN, "<0.2.0>", 7), 0); /* of a call from before */
	struct cs_rec elsewhere = record(&s, 0, ENTRY, "<0.1.0>", 7);
	elsewhere.source = 1; /* the same pid on another node */
	assert_int_equal(show(&s, &elsewhere, NULL, ET_FLOW_ENTRY), 0);
	assert_int_equal(one(&s, RETURN, "<0.1.0>", 7), 4);
	finish(&s);
}

static void
threads_and_nobody(void **state)
{
	(void)state;
	struct setup s;
	start(&s);
	assert_int_equal(one(&s, READ, "", 7), 0);
	assert_int_equal(one(&s, READ, "", 8), 0);
	assert_int_equal(one(&s, ENTRY, "", 7), 2);
	assert_int_equal(one(&s, RETURN, "", 8), 0);
	assert_int_equal(one(&s, BEGIN, "", 7), 0); /* as if it were nobody's */
	assert_int_equal(one(&s, PLAIN, "<0.1.0>", 7), 0);
	assert_int_equal(one(&s, PLAIN, "<0.2.0>", 8), 2);
	assert_int_equal(one(&s, BEGIN, "<0.2.0>", 7), 4);
	finish(&s);
}

/* The second clause of a firing moves nothing. One of the same probe in another process is not a second clause. */
static void
two_clauses(void **state)
{
	(void)state;
	struct setup s;
	start(&s);
	assert_int_equal(one(&s, ENTRY, "<0.1.0>", 0), 0);
	assert_int_equal(one(&s, ENTRY2, "<0.1.0>", 0), 2);
	struct cs_rec other = record(&s, 0, ENTRY2, "<0.2.0>", 0);
	assert_int_equal(show(&s, &other, NULL, ET_FLOW_ENTRY), 0);
	struct cs_rec first = record(&s, 0, RETURN, "<0.1.0>", 0), second = record(&s, 1, RETURN2, "<0.1.0>", 0);
	assert_int_equal(show(&s, &first, &second, ET_FLOW_NONE), 2);
	second = record(&s, 1, RETURN2, "<0.2.0>", 0);
	assert_int_equal(show(&s, &first, &second, ET_FLOW_RETURN), 0);
	finish(&s);
}

static void
some_processes(struct setup *s, unsigned n, bool return_too)
{
	for (unsigned i = 0; i < n; i++) {
		char process[NODE_EPROC];
		snprintf(process, sizeof process, "<0.%u.1>", i);
		assert_int_equal(one(s, ENTRY, process, 0), 0);
		if (return_too)
			assert_int_equal(one(s, RETURN, process, 0), 0);
	}
}

/* Whoever has returned takes no room. Of those that never do, the one that was silent for the longest time goes. */
static void
bounded(void **state)
{
	(void)state;
	struct setup s;
	start(&s);
	assert_int_equal(one(&s, ENTRY, "<0.1.0>", 0), 0);
	assert_int_equal(one(&s, ENTRY, "<0.2.0>", 0), 0);
	some_processes(&s, 3 * CS_FLOWS, true);
	assert_int_equal(s.c.flows.n, 3);
	some_processes(&s, CS_FLOWS - 2, false);
	assert_int_equal(s.c.flows.n, CS_FLOWS);
	assert_int_equal(one(&s, ENTRY, "<0.1.0>", 0), 2);
	assert_int_equal(one(&s, ENTRY, "<0.3.0>", 0), 0);
	assert_int_equal(s.c.flows.n, CS_FLOWS);
	assert_int_equal(one(&s, ENTRY, "<0.1.0>", 0), 4);
	assert_int_equal(one(&s, ENTRY, "<0.3.0>", 0), 2);
	assert_int_equal(one(&s, ENTRY, "<0.2.0>", 0), 0); /* forgotten */
	finish(&s);
}

static void
only_entries(void **state)
{
	(void)state;
	struct setup s;
	start(&s);
	unsigned indent = 0;
	for (unsigned i = 0; i < 100000; i++)
		indent = one(&s, ENTRY, "<0.1.0>", 0);
	assert_int_equal(indent, 1000);
	finish(&s);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(each_process_by_itself),
	    cmocka_unit_test(threads_and_nobody),
	    cmocka_unit_test(two_clauses),
	    cmocka_unit_test(bounded),
	    cmocka_unit_test(only_entries),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
