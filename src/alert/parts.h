/*
 * The parts of an alert: level, key and text of "[critical checkout] slow: 52 ms", where it comes from, its values.
 * alert.h says what they mean. All strings are on the heap, at most ALERT_TEXT bytes of each.
 */
#ifndef ET_ALERT_PARTS_H
#define ET_ALERT_PARTS_H

#include "erltrace.h"

enum { ALERT_TEXT = 2048 };

struct alert_parts {
	const char *level; /* "info", "warning", "error", "critical" */
	char *key, *text;
	char *probe;     /* "" for an alert over an aggregation … */
	char *condition; /* … and this for alert() */
	char *place;     /* checkout.d:3 */
	char *format;
	char *values; /* a list in JSON: of alert() its values, over an aggregation the key and the value */
};

/* `script` is for places that have no file. Returns false if there is no memory. */
bool alert_parts(
    struct alert_parts *p, const char *script, const struct et_probedata *d, const struct et_alertdata *from);
void alert_parts_free(struct alert_parts *p);

#endif
