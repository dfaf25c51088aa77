/*
 * The checker: names, types, prototypes, and every error that can be found before running. ast.h says what it leaves
 * behind.
 */
#ifndef ET_LANG_CHECK_H
#define ET_LANG_CHECK_H

#include "lang/ast.h"

/*
 * Checks one top-level node. Declarations, inlines and translators are entered in cc->lang. For a clause: matches the
 * probe descriptions (cc->probe, cc->nmatches), checks predicate and body in place.
 */
void check_top(struct cc *cc, struct node *n);

/* At the end of a program: checks the alerts over aggregations and gives them to cc->add_alert. */
void check_alerts(struct cc *cc);

/* Checks an expression that stands alone and must be an integer constant (array sizes, enumerators, bit-field widths).
 */
int64_t check_const(struct cc *cc, struct node *n);

/* "such as count(), sum(x), …": what may be assigned to an aggregation. */
const char *aggfn_examples(struct cc *cc);

#endif
