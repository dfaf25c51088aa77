/*
 * One record: the probe's line, then each action in turn.
 *
 * Actions that change the consumer's state (clear, trunc, normalize, setopt …) are always carried out. All others are
 * first shown to the callback, which may leave them out.
 */
#include "consume/consume.h"

#include <string.h>

static const char *const action_names[DA_NACTIONS] = {
    [DA_DEFAULT] = "default",
    [DA_TRACE] = "trace",
    [DA_TRACEMEM] = "tracemem",
    [DA_PRINT] = "print",
    [DA_PRINTF] = "printf",
    [DA_PRINTA] = "printa",
    [DA_STACK] = "stack",
    [DA_USTACK] = "ustack",
    [DA_JSTACK] = "jstack",
    [DA_SYM] = "sym",
    [DA_MOD] = "mod",
    [DA_USYM] = "usym",
    [DA_UMOD] = "umod",
    [DA_UADDR] = "uaddr",
    [DA_EXIT] = "exit",
    [DA_SYSTEM] = "system",
    [DA_FREOPEN] = "freopen",
    [DA_FTRUNCATE] = "ftruncate",
    [DA_SETOPT] = "setopt",
    [DA_CLEAR] = "clear",
    [DA_TRUNC] = "trunc",
    [DA_NORMALIZE] = "normalize",
    [DA_DENORMALIZE] = "denormalize",
    [DA_ALERT] = "alert",
    [DA_PCAP] = "pcap",
};

/* Returns how much of tracemem() to show: at most what was recorded. */
static size_t
tracemem_len(const struct val *vals, unsigned n)
{
	size_t len = vals[0].kind == DK_BYTES ? vals[0].len : vals[0].size;
	if (n > 1 && !(vals[1].is_signed && (int64_t)vals[1].num < 0) && vals[1].num < len)
		len = (size_t)vals[1].num;
	return len;
}

/* What an action prints. */
static int
act_text(struct consumer *c, struct sbuf *b, const struct cs_to *to, const struct dobj_act *act, const struct val *vals,
    unsigned n)
{
	struct show s = cs_show(c);
	const char *fmt = act->fmt == DOBJ_NONE ? NULL : dobj_str(c->o, act->fmt);
	switch (act->kind) {
	case DA_PRINTF:
	case DA_ALERT:
		text_format(b, &s, c->o, fmt ? fmt : "", vals, n, NULL, 0);
		break;
	case DA_PRINTA:
		return cs_printa(c, b, c->o->agglist + act->agg, act->naggs, fmt, b == &c->out ? to : NULL);
	case DA_TRACEMEM:
		if (n)
			text_dump(b, vals[0].at, tracemem_len(vals, n));
		break;
	case DA_PRINT:
		if (n)
			text_typed(b, &s, c->o, vals[0].type, &vals[0]);
		break;
	case DA_TRACE:
	case DA_STACK:
	case DA_USTACK:
	case DA_JSTACK:
	case DA_SYM:
	case DA_MOD:
	case DA_USYM:
	case DA_UMOD:
	case DA_UADDR:
		for (unsigned i = 0; i < n; i++)
			text_trace(b, &s, &vals[i]);
		break;
	default:
		break;
	}
	return 0;
}

/* Asks the record callback. Returns 1 to carry the action out, 0 to leave it out, -1 if it failed. */
static int
ask(struct consumer *c, const struct cs_to *to, const struct et_probedata *d, const struct dobj_act *act,
    const struct val *vals, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		c->pubvals[i] = val_public(&vals[i]);
	sb_clear(&c->acttext);
	if (act_text(c, &c->acttext, to, act, vals, n) != 0)
		return -1;
	if (c->acttext.failed)
		return cs_fail(c, ET_ENOMEM, "out of memory for output");
	struct et_recdata rec = {
	    .action = action_names[act->kind],
	    .format = act->fmt == DOBJ_NONE ? NULL : dobj_str(c->o, act->fmt),
	    .nvalues = n,
	    .values = c->pubvals,
	    .text = c->acttext.at ? c->acttext.at : "",
	};
	switch (to->rcb(d, &rec, to->arg)) {
	case ET_CONSUME_THIS:
		sb_add(&c->out, rec.text, c->acttext.len);
		return 1;
	case ET_CONSUME_NEXT:
		return 0;
	default:
		return cs_fail(c, ET_EABORT, "the record callback asked to stop");
	}
}

static int
write_act(struct consumer *c, const struct cs_to *to, const struct output *as, const struct dobj_act *act,
    const struct val *vals, unsigned n, bool first)
{
	sb_clear(&c->acttext);
	if (act->kind == DA_PRINTA)
		return as->printa(c, &c->out, first, c->o->agglist + act->agg, act->naggs);
	if (act_text(c, &c->acttext, to, act, vals, n) != 0)
		return -1;
	if (c->acttext.failed)
		return cs_fail(c, ET_ENOMEM, "out of memory for output");
	struct output_act a = {
	    .first = first,
	    .action = action_names[act->kind],
	    .format = act->fmt == DOBJ_NONE ? NULL : dobj_str(c->o, act->fmt),
	    .vals = vals,
	    .nvals = n,
	    .text = c->acttext.at,
	    .textlen = c->acttext.len,
	};
	as->action(c, &c->out, &a);
	return 0;
}

/* These are not shown: they have no data, or the engine performed them. */
static bool
is_inner(uint32_t kind)
{
	return kind >= DA_NACTIONS || !action_names[kind] || kind == DA_DEFAULT;
}

/* Actions on the output itself: except in text, the record must be complete before them. */
static bool
is_of_stream(uint32_t kind)
{
	return kind == DA_SYSTEM || kind == DA_FREOPEN || kind == DA_FTRUNCATE;
}

static unsigned
act_values(struct consumer *c, unsigned source, const struct dobj_act *act, const char *data)
{
	for (unsigned i = 0; i < act->nfields; i++) {
		const struct dobj_field *f = &c->o->fields[act->field + i];
		struct val *v = &c->vals[i];
		*v = val_of_field(f, data);
		const char *name =
		    f->kind == DK_STRING && f->arg == DOBJ_PID ? pids_name(&c->pids[source], v->at, v->len) : NULL;
		if (name) {
			v->at = name;
			v->len = strlen(name);
		}
	}
	return act->nfields;
}

static int
one_act(struct consumer *c, const struct cs_to *to, const struct et_probedata *d, unsigned source,
    const struct dobj_act *act, const char *data, const struct output *as, bool *first)
{
	struct val *vals = c->vals;
	unsigned n = act_values(c, source, act, data);
	if (is_inner(act->kind))
		return 0;
	bool silent = cs_is_silent_action(act->kind);
	bool quiet = !as && !silent && act->kind != DA_EXIT && (to->rcb || c->opts->num[OPT_QUIET]);
	size_t before = quiet ? cs_label(c, d, source) : 0, labelled = c->out.len;
	int rc = 1;
	if (as) {
		rc = write_act(c, to, as, act, vals, n, *first) == 0 ? 1 : -1;
		*first = false;
	} else if (!silent && to->rcb)
		rc = ask(c, to, d, act, vals, n);
	else if (!silent && act->kind != DA_EXIT)
		rc = act_text(c, &c->out, to, act, vals, n) == 0 ? 1 : -1;
	if (quiet)
		cs_unlabel(c, before, labelled, source);
	if (rc == 1)
		rc = as && is_of_stream(act->kind) ? 0 : cs_action(c, to, d, act, vals, n);
	if (rc == 0 && !as)
		rc = cs_flush_some(c, to, d->probe, NULL);
	return rc;
}

const struct et_probe *
cs_probe_of(const struct consumer *c, uint32_t epid)
{
	const struct eng_epid *ep = c->ops->epid(c->e, epid);
	return ep && ep->probe < c->nprobes ? &c->probes[ep->probe] : NULL;
}

static int
acts(struct consumer *c, const struct cs_to *to, const struct et_probedata *d, unsigned source,
    const struct dobj_group *g, const char *data, const struct output *as)
{
	bool first = true;
	for (uint32_t i = 0; i < g->nacts; i++)
		if (one_act(c, to, d, source, &c->o->acts[g->act + i], data, as, &first) != 0)
			return -1;
	return 0;
}

/* Carries out what was left for after the line. */
static int
stream_acts(struct consumer *c, const struct cs_to *to, const struct et_probedata *d, unsigned source,
    const struct dobj_group *g, const char *data)
{
	for (uint32_t i = 0; i < g->nacts; i++) {
		const struct dobj_act *act = &c->o->acts[g->act + i];
		if (is_of_stream(act->kind) && cs_action(c, to, d, act, c->vals, act_values(c, source, act, data)) != 0)
			return -1;
	}
	return 0;
}

int
cs_record(struct consumer *c, const struct cs_to *to, const struct cs_rec *r, const struct cs_rec *next)
{
	const struct eng_epid *ep = c->ops->epid(c->e, r->r.epid);
	const struct et_probe *probe = cs_probe_of(c, r->r.epid);
	if (!probe || ep->group >= c->o->ngroups)
		return 0;
	if (r->r.fault >= 0)
		return cs_fault(c, probe, r);
	bool custom = to->pcb || to->rcb;
	const struct output *as = custom ? NULL : cs_output(c);
	struct et_probedata d = {
	    .h = c->h,
	    .probe = probe,
	    .epid = r->r.epid,
	    .cpu = r->r.cpu,
	    .timestamp = r->r.time,
	    .prefix = "",
	    .node = c->ops->sources && !cs_is_for_all(c, r) ? c->ops->sources->name(c->e, r->source) : NULL,
	};
	struct cs_whose whose;
	if (c->opts->num[OPT_FLOWINDENT] && cs_flow(c, &d, r, next, &whose) != 0)
		return -1;
	if (as)
		as->record_begin(c, &c->out, &d);
	else if (!custom)
		cs_present_probe(c, &d);
	else if (to->pcb) {
		enum et_consume what = to->pcb(&d, to->arg);
		if (what == ET_CONSUME_NEXT)
			return 0;
		if (what != ET_CONSUME_THIS)
			return cs_fail(c, ET_EABORT, "the probe callback asked to stop");
	}
	const struct dobj_group *g = &c->o->groups[ep->group];
	const char *data = c->store.bytes ? c->store.bytes + r->off : ""; /* records without data have no bytes */
	if (acts(c, to, &d, r->source, g, data, as) != 0)
		return -1;
	if (as) {
		as->record_end(c, &c->out);
		if (stream_acts(c, to, &d, r->source, g, data) != 0)
			return -1;
	} else if (!custom && !c->opts->num[OPT_QUIET])
		sb_addc(&c->out, '\n');
	else if (to->rcb) {
		enum et_consume what = to->rcb(&d, NULL, to->arg);
		if (what == ET_CONSUME_ABORT || what == ET_CONSUME_ERROR)
			return cs_fail(c, ET_EABORT, "the record callback asked to stop");
	}
	return cs_flush_some(c, to, probe, NULL);
}
