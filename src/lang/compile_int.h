/* Shared by the files of the driver. */
#ifndef ET_LANG_COMPILE_INT_H
#define ET_LANG_COMPILE_INT_H

#include "lang/compile.h"
#include "lang/lang.h"
#include "lang/lex.h"

struct stability;

/* compile.c: one text through parser, checker and generator. libs: what "depends_on library" may name, or NULL. */
void compile_text(struct cc *cc, const struct libdeps *libs, struct stability *st);

/* compile_libs.c: the built-in D library, then the files of libdir and syslibdir. */
void compile_libs(struct cc *cc);

/* Stability of a program: the least of what its clauses use. compile_stab.c */
struct attrs {
	uint8_t name, data, class; /* places in the lists of names */
};
struct stability {
	struct attrs probes, statements;
	bool is_set; /* a probe was seen */
};
/* Counts a checked clause in. Refuses it when it is below what option amin asks for. */
void stability_add(struct cc *cc, struct stability *st, const struct node *clause);
/* Text of -v on the heap; NULL: no memory. */
char *stability_text(const struct stability *st);

#endif
