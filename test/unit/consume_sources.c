/*
 * Records and values of several nodes in one consumer: their order, the names of their nodes, tables that each have the
 * same part of every node, messages. The nodes here are lists of records and values.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "consume/consume.h"
#include "object/aggfn.h"

#include <stdlib.h>
#include <string.h>

enum { TICK = 1, EVENT };

static struct script {
	struct {
		unsigned source;
		uint32_t epid;
		uint64_t time;
		uint16_t cut;
	} recs[8];
	struct {
		unsigned source;
		uint16_t cut;
		uint64_t n;
	} values[8];
	unsigned nrecs, nvalues, current, leader;
	uint64_t complete;
	bool lost[2];
} script;

static void
drain(struct engine *e, void (*fn)(void *arg, unsigned shard, const struct eng_rec *r), void *arg)
{
	(void)e;
	for (unsigned i = 0; i < script.nrecs; i++) {
		int64_t data = (int64_t)script.recs[i].time;
		struct eng_rec r = {.epid = script.recs[i].epid,
		    .time = script.recs[i].time,
		    .cut = script.recs[i].cut,
		    .data = (const char *)&data,
		    .fault = -1};
		script.current = script.recs[i].source;
		fn(arg, script.current, &r);
	}
	script.nrecs = 0;
}

static void
snap(struct engine *e, void (*fn)(void *arg, unsigned agg, const void *key, size_t keylen, const uint64_t *words),
    void *arg)
{
	(void)e;
	for (unsigned i = 0; i < script.nvalues; i++) {
		const uint64_t words[] = {script.values[i].n};
		script.current = script.values[i].source;
		fn(arg, (unsigned)script.values[i].cut << 16, "", 0, words);
	}
	script.nvalues = 0;
}

static const struct eng_epid epids[] = {{0, 0, 0}, {0, 0, 0}, {1, 1, 1}};
static const struct et_probe probes[] = {
    {.id = 1, .provider = "profile", .module = "", .function = "", .name = "tick-1s"},
    {.id = 2, .provider = "erlang", .module = "m", .function = "f/0", .name = "entry"},
};

static const struct eng_epid *
epid(struct engine *e, uint32_t id)
{
	(void)e;
	return id > 0 && id < sizeof epids / sizeof *epids ? &epids[id] : NULL;
}

static unsigned
count(struct engine *e)
{
	(void)e;
	return 2;
}

static const char *
name(struct engine *e, unsigned source)
{
	(void)e;
	return source ? "b@h" : "first@h";
}

static unsigned
current(struct engine *e)
{
	(void)e;
	return script.current;
}

static bool
is_lost(struct engine *e, unsigned source)
{
	(void)e;
	return script.lost[source];
}

static unsigned
leader(struct engine *e)
{
	(void)e;
	return script.leader;
}

static uint64_t
complete(struct engine *e)
{
	(void)e;
	return script.complete;
}

static uint64_t
drops(struct engine *e, unsigned source, enum eng_drop why)
{
	(void)e;
	return why == ENG_DROP_PRINCIPAL ? 3 + source : 0;
}

static void
news(struct engine *e, bool last, void (*fn)(void *arg, enum eng_news kind, const char *text), void *arg)
{
	(void)e;
	if (last)
		fn(arg, NEWS_LOST, "b@h was lost");
}

static const struct engine_sources sources = {count, name, current, is_lost, leader, complete, drops, news, NULL};
static const struct engine_ops ops = {.name = "nodes", .drain = drain, .snap = snap, .epid = epid, .sources = &sources};

/* tick-1s { printa("=%@d\n", @); clear(@); }, f/0:entry { trace(number); } */
static char strings[] = "\0=%@d\n";
static uint32_t agglist[] = {0};
static struct dobj_agg aggs[] = {{.fn = AGG_COUNT}};
static struct dobj_field fields[] = {{.kind = DK_INT, .is_signed = 1, .size = 8, .type = DOBJ_NONE}};
static struct dobj_act acts[] = {{.kind = DA_PRINTA, .fmt = 1, .agg = 0, .naggs = 1},
    {.kind = DA_CLEAR, .fmt = DOBJ_NONE, .agg = 0, .naggs = 1},
    {.kind = DA_TRACE, .fmt = DOBJ_NONE, .field = 0, .nfields = 1}};
static struct dobj_group groups[] = {{.act = 0, .nacts = 2, .recsize = 8, .records = 1},
    {.act = 2, .nacts = 1, .field = 0, .nfields = 1, .recsize = 8, .records = 1}};
static const struct dobj obj = {.strs = strings,
    .nstrs = sizeof strings,
    .agglist = agglist,
    .nagglist = 1,
    .aggs = aggs,
    .naggs = 1,
    .fields = fields,
    .nfields = 1,
    .acts = acts,
    .nacts = 3,
    .groups = groups,
    .ngroups = 2};

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
on_drop(const struct et_dropdata *d, void *arg)
{
	strcat(arg, d->msg);
	return ET_HANDLE_OK;
}

static void
start(struct setup *s, bool quiet)
{
	*s = (struct setup){0};
	memset(&script, 0, sizeof script);
	script.complete = UINT64_MAX;
	opts_init(&s->opts);
	s->opts.num[OPT_QUIET] = quiet;
	s->on = (struct cs_handlers){.drop = on_drop, .droparg = s->messages};
	assert_true(cs_init(&s->c, NULL, &obj, &s->opts, &s->on));
	assert_true(cs_use_engine(&s->c, NULL, &ops));
	s->c.probes = probes;
	s->c.nprobes = 2;
	s->c.nshards = 1;
	s->to.fp = open_memstream(&s->text, &s->len);
}

static void
record(unsigned source, uint32_t id, uint64_t time, uint16_t cut)
{
	unsigned i = script.nrecs++;
	script.recs[i].source = source;
	script.recs[i].epid = id;
	script.recs[i].time = time;
	script.recs[i].cut = cut;
}

static void
value(unsigned source, uint16_t cut, uint64_t n)
{
	unsigned i = script.nvalues++;
	script.values[i].source = source;
	script.values[i].cut = cut;
	script.values[i].n = n;
}

static void
shown(struct setup *s, const char *text)
{
	assert_int_equal(fflush(s->to.fp), 0);
	assert_string_equal(s->text, text);
}

static void
end(struct setup *s)
{
	fclose(s->to.fp);
	free(s->text);
	cs_free(&s->c);
}

/* Two ticks of each node come in one turn. The nodes have made another number of cuts before. */
static void
each_table_has_its_part(void **state)
{
	struct setup s;
	(void)state;
	start(&s, true);
	value(0, 0, 1);
	value(0, 1, 10);
	value(0, 2, 100);
	value(1, 0, 2);
	value(1, 1, 20);
	value(1, 2, 200);
	record(0, TICK, 50, 0);
	record(0, TICK, 150, 1);
	record(1, TICK, 40, 0);
	record(1, TICK, 140, 1);
	assert_int_equal(cs_records(&s.c, &s.to, 1000, false), 0);
	shown(&s, "=3\n=30\n");
	assert_int_equal(cs_records(&s.c, &s.to, 0, true), 0);
	assert_int_equal(cs_print_all(&s.c, &s.to, NULL, NULL), 0);
	assert_int_equal(s.c.aggs.all[0]->words[0], 300);
	end(&s);
}

static void
values_of_a_lost_node_do_not_wait(void **state)
{
	struct setup s;
	(void)state;
	start(&s, true);
	value(0, 5, 7); /* its tick never comes */
	assert_int_equal(cs_snap(&s.c), 0);
	script.lost[0] = true;
	script.leader = 1;
	assert_int_equal(cs_records(&s.c, &s.to, 1000, false), 0);
	record(0, TICK, 50, 0);
	record(1, TICK, 60, 0);
	assert_int_equal(cs_records(&s.c, &s.to, 1000, false), 0);
	shown(&s, "=7\n");
	end(&s);
}

static void
lines_say_their_node(void **state)
{
	struct setup s;
	(void)state;
	start(&s, true);
	record(1, EVENT, 20, 0);
	record(0, EVENT, 10, 0);
	record(0, EVENT, 30, 0);
	record(0, EVENT, 40, 0);
	assert_int_equal(cs_records(&s.c, &s.to, 0, true), 0);
	shown(&s, "first@h: 10\nb@h: 20\nfirst@h: 3040");
	end(&s);
	start(&s, false);
	record(1, EVENT, 20, 0);
	record(0, TICK, 30, 0);
	assert_int_equal(cs_records(&s.c, &s.to, 0, true), 0);
	shown(&s, "NODE    CPU     ID                    FUNCTION:NAME\n"
		  "b@h       0      2                        f/0:entry                20\n"
		  "          0      1                         :tick-1s \n");
	end(&s);
}

/* A node that is late may still have older ones. */
static void
newer_records_wait_for_a_late_node(void **state)
{
	struct setup s;
	(void)state;
	start(&s, true);
	record(0, EVENT, 10, 0);
	record(0, EVENT, 30, 0);
	script.complete = 25;
	assert_int_equal(cs_records(&s.c, &s.to, 1000, false), 0);
	shown(&s, "first@h: 10");
	record(1, EVENT, 20, 0);
	script.complete = UINT64_MAX;
	assert_int_equal(cs_records(&s.c, &s.to, 1000, false), 0);
	shown(&s, "first@h: 10\nb@h: 20\nfirst@h: 30");
	end(&s);
}

static void
messages_say_their_node(void **state)
{
	struct setup s;
	(void)state;
	start(&s, true);
	struct eng_status st = {.drops = {[ENG_DROP_PRINCIPAL] = 7}};
	assert_int_equal(cs_drops(&s.c, &st), 0);
	assert_int_equal(cs_news(&s.c, true), 0);
	assert_string_equal(s.messages, "3 drops on node first@h\n4 drops on node b@h\nb@h was lost\n");
	end(&s);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(each_table_has_its_part),
	    cmocka_unit_test(values_of_a_lost_node_do_not_wait),
	    cmocka_unit_test(lines_say_their_node),
	    cmocka_unit_test(newer_records_wait_for_a_late_node),
	    cmocka_unit_test(messages_say_their_node),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
