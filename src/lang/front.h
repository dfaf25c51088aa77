/* The front end, as the driver (gen/compile.c) calls it. */
#ifndef ET_LANG_FRONT_H
#define ET_LANG_FRONT_H

#include "lang/lang.h"
#include "lang/lex.h"

/*
 * front.c: one text through parser and checker. libs is what "depends_on library" may name, or NULL. Each checked
 * clause is given to `clause` before the next is read; it is NULL for libraries, which have only declarations.
 */
typedef void clause_fn(struct cc *cc, struct node *clause, void *arg);
void front_text(struct cc *cc, const struct libdeps *libs, clause_fn *clause, void *arg);
/* Only parses a text. */
void front_scan(struct cc *cc, const struct scan_fns *fns);

/* front_libs.c: the built-in D library, then the files of libdir and syslibdir. */
void front_libs(struct cc *cc);

/* front_stab.c: stability of a program, which is the lowest of what its clauses use. */
struct attrs {
	uint8_t name, data, class; /* indexes into the lists of names */
};
struct stability {
	struct attrs probes, statements;
	bool is_set; /* a probe was seen */
};
/* Adds a checked clause. Refuses it if it is below option amin. */
void stability_add(struct cc *cc, struct stability *st, const struct node *clause);
/* Returns the text of -v on the heap, or NULL if there is no memory. */
char *stability_text(const struct stability *st);

#endif
