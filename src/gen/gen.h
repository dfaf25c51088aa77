/*
 * Code generation: checked clauses in, rows of a unit out.
 *
 * A unit collects what all programs of a handle compile to; unit_object() makes the D object from it. Failures (too
 * many operands for the registers, a table past its limit) go through cc_error.
 */
#ifndef ET_GEN_GEN_H
#define ET_GEN_GEN_H

#include "object/dobj.h"

struct alert_decl;
struct cc;
struct node;
struct opts;
struct unit;

struct unit *unit_new(void); /* NULL if there is no memory */
void unit_free(struct unit *u);

struct unit_mark {
	uint32_t n[24]; /* lengths of all tables */
};
struct unit_mark unit_mark(const struct unit *u);
void unit_undo(struct unit *u, const struct unit_mark *m);

/* Appends a checked N_CLAUSE and returns its row. */
unsigned gen_clause(struct cc *cc, struct node *clause);
/* Remembers an option set by the program (#pragma D option), to be kept in the object. */
void gen_option(struct cc *cc, const char *name, const char *value);
/* Appends a checked alert declaration, whose aggregation some clause has filled. */
void gen_alert(struct cc *cc, const struct alert_decl *d);

/* Makes a copy of everything collected, on the heap. Returns false if there is no memory. */
bool unit_object(const struct unit *u, struct dobj *o);
unsigned unit_nclauses(const struct unit *u);

#endif
