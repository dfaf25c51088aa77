/* Faults and drops in DTrace's words. */
#include "consume/consume.h"

#include <stdlib.h>

static const char *
fault_text(int fault)
{
	switch (fault) {
#define X(name, number, text) \
	case number: \
		return text;
		DIF_FAULTS(X)
#undef X
	default:
		return "unknown fault";
	}
}

static void
where(struct sbuf *b, const struct et_probe *p, uint32_t epid)
{
	sb_printf(b, "error on enabled probe ID %u (ID %u: %s:%s:%s:%s): ", epid, p->id, p->provider, p->module,
	    p->function, p->name);
}

static int
tell_user(struct consumer *c, struct sbuf *msg, struct et_errdata *e)
{
	int rc = 0;
	if (msg->failed)
		rc = cs_fail(c, ET_ENOMEM, "out of memory for a message");
	else if (c->on->err) {
		e->msg = msg->at;
		if (c->on->err(e, c->on->errarg) != ET_HANDLE_OK)
			rc = cs_fail(c, ET_EABORT, "the handler of errors asked to stop");
	}
	sb_free(msg);
	return rc;
}

int
cs_fault(struct consumer *c, const struct et_probe *p, const struct cs_rec *rec)
{
	const struct eng_rec *r = &rec->r;
	struct sbuf msg = {0};
	if (c->ops->sources)
		sb_printf(&msg, "node %s: ", c->ops->sources->name(c->e, rec->source));
	struct et_errdata e = {
	    .probe = p,
	    .epid = r->epid,
	    .cpu = r->cpu,
	    .action = (int)r->fault_action,
	    .offset = r->fault_pc,
	    .fault = r->fault,
	    .value = r->fault_value,
	};
	where(&msg, p, r->epid);
	sb_adds(&msg, fault_text(r->fault));
	if (r->fault == DIF_FAULT_BADADDR || r->fault == DIF_FAULT_BADALIGN || r->fault == DIF_FAULT_KPRIV ||
	    r->fault == DIF_FAULT_UPRIV)
		sb_printf(&msg, " (0x%llx)", (unsigned long long)r->fault_value);
	if (r->fault_action == 0)
		sb_adds(&msg, " in predicate");
	else
		sb_printf(&msg, " in action #%u", r->fault_action);
	sb_printf(&msg, " at DIF offset %u\n", r->fault_pc);
	return tell_user(c, &msg, &e);
}

int
cs_liberr(struct consumer *c, const struct et_probedata *d, const char *text)
{
	struct sbuf msg = {0};
	struct et_errdata e = {.probe = d->probe, .epid = d->epid, .cpu = d->cpu, .fault = DIF_FAULT_LIBRARY};
	where(&msg, d->probe, d->epid);
	sb_printf(&msg, "%s\n", text);
	return tell_user(c, &msg, &e);
}

static const struct {
	enum et_dropkind kind;
	const char *tag, *one, *after; /* "N one[s]after" */
	bool by_cpu;                   /* then " on CPU N" */
} drops[ENG_NDROPS] = {
    [ENG_DROP_PRINCIPAL] = {ET_DROP_PRINCIPAL, "DTRACEDROP_PRINCIPAL", "drop", "", true},
    [ENG_DROP_AGGREGATION] = {ET_DROP_AGGREGATION, "DTRACEDROP_AGGREGATION", "aggregation drop", "", true},
    [ENG_DROP_DYNAMIC] = {ET_DROP_DYNAMIC, "DTRACEDROP_DYNAMIC", "dynamic variable drop", "", false},
    [ENG_DROP_SPEC] = {ET_DROP_SPEC, "DTRACEDROP_SPEC", "speculative drop", "", false},
    [ENG_DROP_SPECBUSY] = {ET_DROP_SPECBUSY, "DTRACEDROP_SPECBUSY", "failed speculation",
	" (available buffer(s) still busy)", false},
    [ENG_DROP_SPECUNAVAIL] = {ET_DROP_SPECUNAVAIL, "DTRACEDROP_SPECUNAVAIL", "failed speculation",
	" (no speculative buffer available)", false},
    [ENG_DROP_STACKSTR] = {ET_DROP_STKSTROVERFLOW, "DTRACEDROP_STKSTROVERFLOW",
	"jstack()/ustack() string table overflow", "", false},
    [ENG_DROP_DBLERROR] = {ET_DROP_DBLERROR, "DTRACEDROP_DBLERROR", "error", " in ERROR probe enabling", false},
    [ENG_DROP_LATE] = {ET_DROP_LATE, "DROP_LATE", "clause", " left out: the event took longer than maxfire", false},
    [ENG_DROP_TERM] = {ET_DROP_TERM, "DROP_TERM", "time",
	" a term was larger than one event may look at: sizes are 4294967295, text is cut", false},
};

/* Gives a message to the handler of drops, and frees it. */
static int
tell_handler(struct consumer *c, enum et_dropkind kind, uint64_t n, uint64_t total, struct sbuf *msg)
{
	struct et_dropdata d = {kind, n, total, msg->at};
	int rc = 0;
	if (msg->failed)
		rc = cs_fail(c, ET_ENOMEM, "out of memory for a message");
	else if (c->on->drop && c->on->drop(&d, c->on->droparg) != ET_HANDLE_OK)
		rc = cs_fail(c, ET_EABORT, "the handler of drops asked to stop");
	sb_free(msg);
	return rc;
}

static int
tell_drop(struct consumer *c, unsigned kind, unsigned cpu, uint64_t n, uint64_t total)
{
	struct sbuf msg = {0};
	if (c->opts->num[OPT_DROPTAGS])
		sb_printf(&msg, "[%s] ", drops[kind].tag);
	sb_printf(&msg, "%llu %s%s%s", (unsigned long long)n, drops[kind].one, n == 1 ? "" : "s", drops[kind].after);
	if (drops[kind].by_cpu && c->ops->sources)
		sb_printf(&msg, " on node %s", c->ops->sources->name(c->e, cpu));
	else if (drops[kind].by_cpu)
		sb_printf(&msg, " on CPU %u", cpu);
	sb_addc(&msg, '\n');
	return tell_handler(c, drops[kind].kind, n, total, &msg);
}

/* Reports new drops of one kind: for each CPU, or for all together. */
static int
tell_kind(struct consumer *c, unsigned kind, uint64_t total)
{
	unsigned shards = c->ops->sources ? c->nsources : c->ops->shard_drops ? c->nshards : 1;
	uint64_t sum = 0;
	for (unsigned i = 0; i < shards; i++) {
		uint64_t now = c->ops->sources       ? c->ops->sources->drops(c->e, i, (enum eng_drop)kind)
			       : c->ops->shard_drops ? c->ops->shard_drops(c->e, i, (enum eng_drop)kind)
						     : total;
		uint64_t *seen = &c->seen[i * ENG_NDROPS + kind], n = now - *seen;
		*seen = now;
		sum += n;
		if (n && drops[kind].by_cpu && tell_drop(c, kind, i, n, total) != 0)
			return -1;
	}
	return sum && !drops[kind].by_cpu ? tell_drop(c, kind, 0, sum, total) : 0;
}

/* What the engine does not count; reported once. */
static int
tell_text(struct consumer *c, enum et_dropkind kind, const char *tag, const char *text, uint64_t n, bool *told)
{
	struct sbuf msg = {0};
	if (!text || *told)
		return 0;
	*told = true;
	if (c->opts->num[OPT_DROPTAGS])
		sb_printf(&msg, "[%s] ", tag);
	sb_printf(&msg, "%s\n", text);
	return tell_handler(c, kind, n, n ? c->aggs.dropped : 0, &msg);
}

/* Values for which the user of the handle had no room. */
static int
tell_memory(struct consumer *c)
{
	uint64_t n = c->aggs.dropped - c->told_memory;
	char text[160];
	bool told = false;
	if (!n)
		return 0;
	c->told_memory = c->aggs.dropped;
	snprintf(text, sizeof text, "%llu aggregation drop%s: the memory for what was aggregated is full",
	    (unsigned long long)n, n == 1 ? "" : "s");
	return tell_text(c, ET_DROP_MEMORY, "DROP_MEMORY", text, n, &told);
}

/* Keys that alerts over aggregations had no room for. */
static int
tell_watch(struct consumer *c)
{
	uint64_t n = c->watch.dropped - c->told_watch;
	char text[160];
	bool told = false;
	if (!n)
		return 0;
	c->told_watch = c->watch.dropped;
	snprintf(text, sizeof text, "%llu value%s not looked at by alerts: more than %d keys at a time",
	    (unsigned long long)n, n == 1 ? " was" : "s were", (int)WATCH_KEYS);
	return tell_text(c, ET_DROP_MEMORY, "DROP_MEMORY", text, n, &told);
}

int
cs_blocked(struct consumer *c, uint64_t ms)
{
	char text[128];
	bool told = false;
	snprintf(text, sizeof text, "output was blocked for %llu s: nobody read it, and tracing went on",
	    (unsigned long long)(ms + 500) / 1000);
	return tell_text(c, ET_DROP_BLOCKED, "DROP_BLOCKED", text, 0, &told);
}

int
cs_unable(struct consumer *c, const char *provider, const char *name, const char *why)
{
	struct sbuf text = {0};
	bool told = false;
	sb_printf(&text, "%s:::%s %s", provider, name, why);
	int rc = text.failed ? cs_fail(c, ET_ENOMEM, "out of memory for a message")
			     : tell_text(c, ET_DROP_UNTRACED, "DROP_UNTRACED", text.at, 0, &told);
	sb_free(&text);
	return rc;
}

struct telling {
	struct consumer *c;
	int rc;
};

static void
tell_news(void *arg, enum eng_news kind, const char *text)
{
	static const struct {
		enum et_dropkind kind;
		const char *tag;
	} kinds[] = {
	    [NEWS_NODE] = {ET_DROP_NEWS, "DROP_NEWS"},
	    [NEWS_LOST] = {ET_DROP_NODE, "DROP_NODE"},
	    [NEWS_ENDED] = {ET_DROP_OVERHEAD, "DROP_OVERHEAD"},
	};
	struct telling *t = arg;
	bool told = false;
	if (t->rc == 0)
		t->rc = tell_text(t->c, kinds[kind].kind, kinds[kind].tag, text, 0, &told);
}

int
cs_news(struct consumer *c, bool last)
{
	struct telling t = {.c = c};
	if (c->ops->sources)
		c->ops->sources->news(c->e, last, tell_news, &t);
	return t.rc;
}

static bool
grow_seen(struct consumer *c)
{
	unsigned n = c->nshards > c->nsources ? c->nshards : c->nsources;
	if (n <= c->nseen)
		return true;
	uint64_t *grown = realloc(c->seen, (size_t)n * ENG_NDROPS * sizeof *grown);
	if (!grown)
		return false;
	memset(grown + (size_t)c->nseen * ENG_NDROPS, 0, (size_t)(n - c->nseen) * ENG_NDROPS * sizeof *grown);
	c->seen = grown;
	c->nseen = n;
	return true;
}

int
cs_drops(struct consumer *c, const struct eng_status *now)
{
	if (cs_news(c, false) != 0)
		return -1;
	if (tell_text(c, ET_DROP_UNTRACED, "DROP_UNTRACED", now->notes, 0, &c->told_notes) != 0 ||
	    tell_text(c, ET_DROP_OVERHEAD, "DROP_OVERHEAD", now->ended, 0, &c->told_ended) != 0 ||
	    tell_memory(c) != 0 || tell_watch(c) != 0)
		return -1;
	if (!cs_grow(c) || !grow_seen(c))
		return cs_fail(c, ET_ENOMEM, "out of memory for messages");
	for (unsigned i = 0; i < ENG_NDROPS; i++)
		if (now->drops[i] && tell_kind(c, i, now->drops[i]) != 0)
			return -1;
	return 0;
}
