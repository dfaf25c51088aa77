/*
 * Records as terms. Each turn takes the records out of the engine and keeps them here until the node asks. Past a limit
 * records are lost, counted and reported.
 *
 *   {probe, Probe, Value}      trace(), tracemem(), print(), sym() …; undefined for a clause without actions
 *   {printf, Probe, Text}      printf(); {printa, …} and {alert, …} alike
 *   {alert, Map}               an alert over an aggregation begins or ends; see add_alert()
 *   {stack, Probe, [Frame]}    stack(); {ustack, …} and {jstack, …} alike
 *   {exit, Probe, Status}
 *   {fault, Probe, Text}       what went wrong in a clause
 *   {drop, Kind, Count}
 *   {notice, Kind, Text}       what the node does not allow to be traced, or why tracing ended; with several nodes what
 *                              happened to one of them
 *   {node, Node, Record}       with several nodes: one of the first five, of this node
 */
#include "port/port.h"

#include "alert/parts.h"

#include <stdint.h>
#include <string.h>

#ifdef ET_TINY
enum { KEPT = 4 << 10 };
#else
enum { KEPT = 32 << 20 }; /* bytes */
#endif

/* Begins an element of the list. Returns false if there is no room. `node`: where it comes from, or NULL. */
static bool
begin_on(struct port *p, const char *node, const char *tag, const struct et_probe *probe)
{
	ei_x_buff *x = &p->records;
	if (x->index >= KEPT) {
		p->lost++;
		return false;
	}
	p->nrecords++;
	ei_x_encode_list_header(x, 1);
	if (node) {
		ei_x_encode_tuple_header(x, 3);
		ei_x_encode_atom(x, "node");
		ei_x_encode_atom_as(x, node, ERLANG_UTF8, ERLANG_UTF8);
	}
	ei_x_encode_tuple_header(x, 3);
	ei_x_encode_atom(x, tag);
	if (probe)
		term_probe(p, x, probe);
	return true;
}

static bool
begin(struct port *p, const char *tag, const struct et_probe *probe)
{
	return begin_on(p, NULL, tag, probe);
}

static void
values(struct port *p, const struct et_recdata *rec)
{
	ei_x_buff *x = &p->records;
	if (rec->nvalues == 1) {
		term_value(p, x, &rec->values[0]);
		return;
	}
	if (rec->nvalues)
		ei_x_encode_list_header(x, (int)rec->nvalues);
	for (unsigned i = 0; i < rec->nvalues; i++)
		term_value(p, x, &rec->values[i]);
	ei_x_encode_empty_list(x);
}

static bool
is_one_of(const char *action, const char *const *names)
{
	while (*names && strcmp(*names, action) != 0)
		names++;
	return *names != NULL;
}

static enum et_consume
on_record(const struct et_probedata *d, const struct et_recdata *rec, void *arg)
{
	static const char *const texts[] = {"printf", "printa", "alert", "print", NULL};
	static const char *const stacks[] = {"stack", "ustack", "jstack", NULL};
	static const char *const effects[] = {"system", "freopen", "ftruncate", "alert", "pcap", NULL};
	struct port *p = arg;
	if (!rec) {
		if (!p->nactions && begin_on(p, d->node, "probe", d->probe))
			ei_x_encode_atom(&p->records, "undefined");
		p->nactions = 0;
		return ET_CONSUME_THIS;
	}
	p->nactions++;
	if (p->alerts && strcmp(rec->action, "alert") == 0)
		return ET_CONSUME_THIS;
	if (is_one_of(rec->action, texts)) {
		if (begin_on(p, d->node, rec->action, d->probe))
			term_string(p, &p->records, rec->text);
	} else if (is_one_of(rec->action, stacks)) {
		if (begin_on(p, d->node, rec->action, d->probe))
			term_lines(p, &p->records, rec->text);
	} else if (strcmp(rec->action, "exit") == 0) {
		if (begin_on(p, d->node, "exit", d->probe))
			values(p, rec);
		return ET_CONSUME_THIS;
	} else if (!is_one_of(rec->action, effects)) {
		if (begin_on(p, d->node, "probe", d->probe))
			values(p, rec);
	}
	return is_one_of(rec->action, effects) ? ET_CONSUME_THIS : ET_CONSUME_NEXT;
}

static enum et_consume
on_probe(const struct et_probedata *d, void *arg)
{
	struct port *p = arg;
	(void)d;
	p->nactions = 0;
	return ET_CONSUME_THIS;
}

static enum et_handle
on_error(const struct et_errdata *e, void *arg)
{
	struct port *p = arg;
	if (begin(p, "fault", e->probe))
		term_text(p, &p->records, e->msg, strcspn(e->msg, "\n"));
	return ET_HANDLE_OK;
}

static void
add_pair(struct port *p, const char *name, const char *text)
{
	ei_x_encode_atom(&p->records, name);
	term_string(p, &p->records, text);
}

/* {alert, #{status => firing | again | resolved, level => Atom, key => Text, text => Text, place => Text, values =>
 * [Value], …}} */
static void
add_alert(struct port *p, const struct alert_parts *is, const struct et_probedata *d, const struct et_alertdata *a)
{
	ei_x_buff *x = &p->records;
	if (x->index >= KEPT) {
		p->lost++;
		return;
	}
	p->nrecords++;
	ei_x_encode_list_header(x, 1);
	ei_x_encode_tuple_header(x, 2);
	ei_x_encode_atom(x, "alert");
	ei_x_encode_map_header(x, 6 + (a->condition ? 4 : 1) + (d->node ? 1 : 0));
	ei_x_encode_atom(x, "status");
	ei_x_encode_atom(x, a->over ? "resolved" : a->again ? "again" : "firing");
	ei_x_encode_atom(x, "level");
	ei_x_encode_atom(x, is->level);
	add_pair(p, "key", is->key);
	add_pair(p, "text", is->text);
	add_pair(p, "place", is->place);
	ei_x_encode_atom(x, "values");
	if (a->nvalues)
		ei_x_encode_list_header(x, (int)a->nvalues);
	for (unsigned i = 0; i < a->nvalues; i++)
		term_value(p, x, &a->values[i]);
	ei_x_encode_empty_list(x);
	if (d->node) {
		ei_x_encode_atom(x, "node");
		ei_x_encode_atom_as(x, d->node, ERLANG_UTF8, ERLANG_UTF8);
	}
	if (!a->condition) {
		ei_x_encode_atom(x, "probe");
		term_probe(p, x, d->probe);
		return;
	}
	add_pair(p, "condition", a->condition);
	ei_x_encode_atom(x, "value");
	ei_x_encode_longlong(x, a->value);
	ei_x_encode_atom(x, "limit");
	ei_x_encode_longlong(x, a->limit);
	add_pair(p, "unit", a->unit);
}

static enum et_handle
on_alert(const struct et_probedata *d, const struct et_alertdata *a, void *arg)
{
	struct port *p = arg;
	struct alert_parts is;
	if ((!a->condition || a->again) && !p->alerts)
		return ET_HANDLE_OK;
	if (alert_parts(&is, "script", d, a)) {
		add_alert(p, &is, d, a);
		alert_parts_free(&is);
	}
	return ET_HANDLE_OK;
}

static void
add_drop(struct port *p, const char *kind, unsigned long long n)
{
	ei_x_encode_list_header(&p->records, 1);
	ei_x_encode_tuple_header(&p->records, 3);
	ei_x_encode_atom(&p->records, "drop");
	ei_x_encode_atom(&p->records, kind);
	ei_x_encode_ulonglong(&p->records, n);
	p->nrecords++;
}

static void
add_notice(struct port *p, const char *kind, const char *text)
{
	if (!begin(p, "notice", NULL))
		return;
	ei_x_encode_atom(&p->records, kind);
	term_text(p, &p->records, text, strcspn(text, "\n"));
}

static enum et_handle
on_drop(const struct et_dropdata *d, void *arg)
{
	static const char *const kinds[] = {
	    [ET_DROP_PRINCIPAL] = "principal",
	    [ET_DROP_AGGREGATION] = "aggregation",
	    [ET_DROP_DYNAMIC] = "dynamic",
	    [ET_DROP_SPEC] = "speculation",
	    [ET_DROP_SPECBUSY] = "speculation_busy",
	    [ET_DROP_SPECUNAVAIL] = "speculation_unavailable",
	    [ET_DROP_STKSTROVERFLOW] = "stack_strings",
	    [ET_DROP_DBLERROR] = "error_in_error",
	    [ET_DROP_MEMORY] = "memory",
	    [ET_DROP_LATE] = "late",
	    [ET_DROP_TERM] = "term",
	};
	static const char *const notices[] = {
	    [ET_DROP_UNTRACED] = "untraced",
	    [ET_DROP_OVERHEAD] = "overhead",
	    [ET_DROP_NODE] = "lost",
	    [ET_DROP_NEWS] = "node",
	};
	const char *notice = (unsigned)d->kind < sizeof notices / sizeof *notices ? notices[d->kind] : NULL;
	const char *kind = (unsigned)d->kind < sizeof kinds / sizeof *kinds ? kinds[d->kind] : NULL;
	if (notice)
		add_notice(arg, notice, d->msg);
	else
		add_drop(arg, kind ? kind : "other", d->drops);
	return ET_HANDLE_OK;
}

void
consume_handlers(struct port *p)
{
	et_handle_err(p->h, on_error, p);
	et_handle_drop(p->h, on_drop, p);
	et_handle_alert(p->h, on_alert, p);
}

int
consume_turn(struct port *p)
{
	if (!p->going || p->done)
		return 0;
	/* printa() must show what has been aggregated by now */
	if (et_aggregate_snap(p->h) != 0)
		return -1;
	enum et_workstatus s = et_work(p->h, p->nowhere, on_probe, on_record, p);
	if (s == ET_WORKSTATUS_ERROR) {
		/* reported once; what was gathered before can still be read */
		p->done = et_status(p->h) != ET_STATUS_OKAY;
		return -1;
	}
	p->done = s == ET_WORKSTATUS_DONE;
	return p->done ? 0 : et_consume(p->h, p->nowhere, on_probe, on_record, p);
}

void
consume_take(struct port *p, ei_x_buff *x)
{
	if (p->lost)
		add_drop(p, "unread", p->lost);
	if (!p->nrecords) {
		ei_x_encode_atom(x, "ok");
		return;
	}
	ei_x_encode_tuple_header(x, 2);
	ei_x_encode_atom(x, "ok");
	ei_x_append(x, &p->records);
	ei_x_encode_empty_list(x);
	p->records.index = 0;
	p->nrecords = 0;
	p->lost = 0;
}
