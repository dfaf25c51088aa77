/* Shared by the files of the driver. */
#ifndef ET_LANG_COMPILE_INT_H
#define ET_LANG_COMPILE_INT_H

#include "lang/compile.h"
#include "lang/lang.h"
#include "lang/lex.h"

struct stability;

/* compile.c: one text through parser, checker and generator. libs is what "depends_on library" may name, or NULL. */
void compile_text(struct cc *cc, const struct libdeps *libs, struct stability *st);

/* compile_libs.c: the built-in D library, then the files of libdir and syslibdir. */
void compile_libs(struct cc *cc);

/* compile_stab.c: stability of a program, which is the lowest of what its clauses use. */
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
