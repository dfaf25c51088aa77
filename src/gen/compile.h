/* The compiler's front door: D source in, clauses of a unit out. */
#ifndef ET_GEN_COMPILE_H
#define ET_GEN_COMPILE_H

#include "lang/cc.h"

/* What to compile and with what. All pointers are the caller's. */
struct job {
	struct lang *lang;
	struct unit *unit;
	struct probes *probes;
	struct opts *opts;
	const char *file; /* name for messages: the path, or "<command line>" */
	const char *text; /* bytes, may contain anything */
	size_t len;
	int argc;
	const char *const *argv; /* $0, $1, … */
	int64_t target;          /* $target, or -1 */
	int pspec;               /* PS_NAME … */
	bool is_file;            /* its folder is searched by #include "…" */
};

struct compiled {
	unsigned clause, nclauses; /* rows of the unit's clauses */
	char *stability;           /* heap: what -v shows, or NULL */
};

/*
 * Compiles. Returns false if it fails: `d` says why, and nothing of the attempt is left in lang or unit. The first call
 * on a lang loads the D libraries.
 */
bool et_compile(const struct job *j, struct compiled *out, struct diag *d);
/*
 * Only parses, and calls fns with what it sees. Returns false if it fails: then they were called with what is before
 * the failure. Options that the program sets are set.
 */
bool et_scan(const struct job *j, const struct scan_fns *fns);

#endif
