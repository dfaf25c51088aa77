/*
 * The alerts of a run, for its pages: those that are not over, and those that ended in the last minutes. Frames carry
 * the newest of them. The table is bounded; when it is full, the one that ended first makes room.
 *
 * An alert() is over when it has not happened for a minute; one over an aggregation says so itself.
 */
#include "web/web.h"

#include "alert/parts.h"
#include "base/clock.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
	RESOLVE_MS = 60000,
	KEPT_MS = 600000, /* after its end */
	SHOWN = 20,       /* in a frame */
	SHOWN_TEXT = 500, /* bytes of a text there */
	SHOWN_KEY = 300,  /* and of one of the largest keys */
};

static void
row_free(struct run_alert *a)
{
	alert_parts_free(&a->is);
	free(a->top);
	*a = (struct run_alert){0};
}

/* What the minute before an alert looked like: its largest keys. Returns NULL if there are none, or no memory. */
static char *
top_json(const struct et_alertdata *from)
{
	struct sbuf b = {0};
	if (!from->ntop)
		return NULL;
	for (unsigned i = 0; i < from->ntop; i++) {
		sb_addc(&b, i ? ',' : '[');
		web_text(&b, from->top[i], strnlen(from->top[i], SHOWN_KEY));
	}
	sb_addc(&b, ']');
	return sb_take(&b);
}

void
run_alerts_free(struct run *r)
{
	for (unsigned i = 0; i < r->nalerts; i++)
		row_free(&r->alerts[i]);
	r->nalerts = 0;
}

static uint64_t
wall_ms(void)
{
	return clock_ns(CLOCK_REALTIME) / 1000000;
}

/* r->lock is held, here and below. Returns NULL if there is no room. */
static struct run_alert *
new_row(struct run *r)
{
	struct run_alert *old = NULL;
	if (r->nalerts < RUN_ALERTS)
		return &r->alerts[r->nalerts++];
	for (unsigned i = 0; i < r->nalerts; i++)
		if (r->alerts[i].until && (!old || r->alerts[i].until < old->until))
			old = &r->alerts[i];
	if (old)
		row_free(old);
	else
		r->alerts_dropped++;
	return old;
}

static struct run_alert *
row_of(struct run *r, const struct leg *l, const struct alert_parts *is)
{
	for (unsigned i = 0; i < r->nalerts; i++) {
		struct run_alert *a = &r->alerts[i];
		if (a->leg == l && a->is.level == is->level && strcmp(a->is.key, is->key) == 0)
			return a;
	}
	return NULL;
}

/* Takes over `is` and `top`, and leaves what it does not need. The largest keys are those of the beginning. */
static void
enter(struct run *r, const struct leg *l, struct alert_parts *is, char **top, const struct et_alertdata *from)
{
	struct run_alert *a = row_of(r, l, is);
	uint64_t now = wall_ms();
	if (from->over && (!a || a->until))
		return;
	if (!a && (a = new_row(r)))
		*a = (struct run_alert){.leg = l, .since = now, .number = ++r->alerts_seen};
	if (!a)
		return;
	if (a->until && !from->over) {
		a->since = now;
		a->until = 0;
		a->count = 0;
		a->number = ++r->alerts_seen;
		free(a->top);
		a->top = NULL;
	}
	if (!a->top) {
		a->top = *top;
		*top = NULL;
	}
	alert_parts_free(&a->is);
	a->is = *is;
	*is = (struct alert_parts){0};
	a->last = mono_ms();
	a->says_over = from->condition != NULL;
	a->count += !from->again && !from->over;
	if (from->over)
		a->until = now;
}

void
run_alert(struct leg *l, const struct et_probedata *d, const struct et_alertdata *from)
{
	struct alert_parts is;
	if (!alert_parts(&is, l->r->name, d, from))
		return;
	char *top = top_json(from);
	pthread_mutex_lock(&l->r->lock);
	enter(l->r, l, &is, &top, from);
	pthread_mutex_unlock(&l->r->lock);
	alert_parts_free(&is);
	free(top);
}

static void
expire(struct run *r)
{
	uint64_t now = wall_ms(), mono = mono_ms();
	for (unsigned i = r->nalerts; i-- > 0;) {
		struct run_alert *a = &r->alerts[i];
		if (!a->until && !a->says_over && mono - a->last >= RESOLVE_MS)
			a->until = now;
		if (a->until && now - a->until >= KEPT_MS) {
			row_free(a);
			*a = r->alerts[--r->nalerts];
		}
	}
}

static int
newest_first(const void *x, const void *y)
{
	const struct run_alert *a = *(const struct run_alert *const *)x, *b = *(const struct run_alert *const *)y;
	if (!a->until != !b->until)
		return a->until ? 1 : -1;
	return a->number < b->number ? 1 : -1;
}

static void
quoted(struct sbuf *b, const char *name, const char *text)
{
	sb_printf(b, ",\"%s\":", name);
	web_text(b, text, strnlen(text, SHOWN_TEXT));
}

static void
row_json(const struct run *r, const struct run_alert *a, struct sbuf *b)
{
	sb_printf(b, "{\"level\":\"%s\",\"count\":%" PRIu64 ",\"since\":%" PRIu64 ",\"until\":", a->is.level, a->count,
	    a->since);
	if (a->until)
		sb_printf(b, "%" PRIu64, a->until);
	else
		sb_adds(b, "null");
	quoted(b, "key", a->is.key);
	quoted(b, "text", a->is.text);
	quoted(b, "place", a->is.place);
	quoted(b, *a->is.condition ? "condition" : "probe", *a->is.condition ? a->is.condition : a->is.probe);
	if (strlen(a->is.values) <= SHOWN_TEXT)
		sb_printf(b, ",\"values\":%s", a->is.values);
	if (a->top)
		sb_printf(b, ",\"top\":%s", a->top);
	if (r->nlegs > 1)
		quoted(b, "node", a->leg->node);
	sb_addc(b, '}');
}

void
run_alerts_json(struct run *r, struct sbuf *b)
{
	const struct run_alert *all[RUN_ALERTS];
	unsigned firing = 0;
	expire(r);
	if (!r->nalerts)
		return;
	for (unsigned i = 0; i < r->nalerts; i++) {
		all[i] = &r->alerts[i];
		firing += !all[i]->until;
	}
	qsort(all, r->nalerts, sizeof *all, newest_first);
	sb_printf(b, ",\"alerts\":{\"firing\":%u,\"over\":%u,\"dropped\":%" PRIu64 ",\"rows\":[", firing,
	    r->nalerts - firing, r->alerts_dropped);
	for (unsigned i = 0; i < r->nalerts && i < SHOWN; i++) {
		if (i)
			sb_addc(b, ',');
		row_json(r, all[i], b);
	}
	sb_adds(b, "]}");
}
