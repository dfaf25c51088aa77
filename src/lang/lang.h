/*
 * Everything that the programs of one handle share: types, variables, aggregations, inlines, translators.
 */
#ifndef ET_LANG_LANG_H
#define ET_LANG_LANG_H

#include "lang/ast.h"

/* A subroutine's prototype, parsed when it is first used. */
struct proto {
	struct type *result;
	unsigned n, nmin; /* number of parameters, and how many of them must be given */
	struct type **params;
};

/* translator to < from param > { members }. */
struct xlator {
	struct type *to, *from;
	struct node *members; /* list of N_MEMBER: name, obj: the checked expression with N_PARAM 0 */
	struct pos pos;
};

struct lang {
	struct arena ar; /* lives as long as the handle; its oom is set for each compilation */
	struct types *types;
	struct strmap globals, selfs, locals; /* name → struct dvar */
	struct strmap aggs;                   /* name → struct dagg */
	struct strmap inlines;                /* name → struct node of kind N_INLINE, checked */
	VEC(struct xlator *) xlators;
	bool libs_loaded, kernel_loaded; /* the built-in library and those of folders; lang_kernel_d */

	/* Looked up when first needed, and never undone. */
	struct type *bi_types[DIF_NBUILTINS];
	struct strmap protos; /* function name → struct proto */
	struct type *ids[3];  /* int, int64_t, uint64_t */
};

struct lang_mark {
	struct types_mark types;
	unsigned globals, selfs, locals, aggs, inlines, xlators;
	bool kernel_loaded;
	unsigned vars_ids, aggs_ids; /* rows given by the generator so far */
};

/* Returns NULL if there is no memory. */
struct lang *lang_new(struct opts *opts);
void lang_free(struct lang *l);
struct lang_mark lang_mark(const struct lang *l);
void lang_undo(struct lang *l, struct lang_mark m);

/* src/dlib, the built-in D library, parsed before everything else. Errno names, signals and the like are in builtin.c
 * instead. */
extern const char lang_builtin_d[];
/* src/dlib/kernel, translators of the kernel's structures, parsed when one is first looked for. */
extern const char lang_kernel_d[];

#endif
