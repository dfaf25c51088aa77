/*
 * The compile context: what all passes over one program share.
 *
 * One struct lang belongs to a handle and lives as long as it. Types, variables, aggregations, inlines and translators
 * are shared by all programs compiled on that handle, as in DTrace. One struct cc is one compilation.
 *
 * Errors: cc_error() describes the first error in cc->diag and jumps out; no pass returns after an error. Memory:
 * cc->ar holds the tree. It is emptied after each top-level declaration or clause, unless something keeps it. lang->ar
 * holds what lives on. Running out of memory jumps out the same way. A compilation that failed leaves the handle as it
 * was (lang_mark, lang_undo).
 */
#ifndef ET_LANG_CC_H
#define ET_LANG_CC_H

#include "base/arena.h"
#include "base/opts.h"
#include "base/strmap.h"
#include "provider/provider.h"

#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>

/* A place in the source. file is NULL for built-in text. Columns are bytes, from 1. */
struct pos {
	const char *file;
	uint32_t line, col;
	uint32_t off; /* byte offset in cc->text, for showing the line */
	uint32_t len; /* bytes of the token or construct; 0 if unknown */
};

/* An error as the user sees it. Strings are on the heap: diag_free. */
struct diag {
	char *tag;  /* "D_IDENT_UNDEF"; NULL if memory ran out */
	char *file; /* NULL if no place is known */
	uint32_t line, col, len;
	char *msg;
	char *hint;     /* "did you mean 'x'?", or NULL */
	char *source;   /* the source line or a window of it, or NULL */
	uint32_t caret; /* byte of `source` where the spot is, from 1 */
};
void diag_free(struct diag *d);
/* Returns the whole message on the heap: several lines, with the caret. With errtags it includes [D_TAG]. */
char *diag_format(const struct diag *d, bool errtags);

struct lang;
struct unit;  /* gen/gen.h: where code is collected */
struct lexer; /* lang/lex.h */

struct pdesc;
struct alert_decl; /* lang/ast.h */

/* Who is told what a text has, while it is only parsed. */
struct scan_fns {
	void (*description)(void *arg, const struct pdesc *d);
	void (*name)(
	    void *arg, const char *name); /* of a global variable, a built-in or a function, where it is used */
	void *arg;
};

struct cc {
	struct lang *lang;
	struct unit *unit;
	/* Keeps an option that the program sets, for the object; NULL where there is none. */
	void (*set_option)(struct cc *cc, const char *name, const char *value);
	/* Keeps a checked alert declaration, for the object. */
	void (*add_alert)(struct cc *cc, const struct alert_decl *d);
	struct alert_decl *alerts, **alerts_tail; /* those of this program, in lang->ar; tail NULL: none yet */
	struct probes *probes;
	struct opts *opts;
	struct arena *ar;
	jmp_buf *fail; /* cc_error and out-of-memory of both arenas end here */
	struct diag *diag;

	const char *file; /* name for messages */
	const char *text;
	size_t len;
	bool is_lib;  /* a D library: only declarations */
	bool lenient; /* leave out members of translators that do not compile */
	bool is_file; /* the text is from a file: a description needs a predicate or a body, as in DTrace */
	const struct scan_fns *scan; /* NULL unless it is only parsed */

	int argc; /* macro arguments: argv[0] is $0 */
	const char *const *argv;
	bool *arg_used; /* argc of them, for D_MACRO_UNUSED */
	int64_t target; /* $target, or -1 */
	enum {
		PS_NAME,
		PS_PROVIDER,
		PS_MODULE,
		PS_FUNC,
		PS_PROBEID
	} pspec; /* which field a bare description names: -n -P -m -f -i */

	/* The clause being compiled, for checks that depend on its probes. */
	const struct probe *probe; /* the first match, or NULL */
	unsigned nmatches;         /* probes matched by all its descriptions */
	const struct node *pdesc;

	/* The checker's own. */
	const struct scope *scope; /* parameters of the inline or translator being checked, or NULL */
	unsigned nexpanded;        /* nodes made by inlines and translators in this clause or declaration */
	bool args_differ;          /* the clause's probes do not have the same args[] */
	bool probe_is_one;         /* `probe` is the only probe of the clause */
	unsigned texts, terms;     /* bit N: in all of the clause's probes, argN is the address of a text or of a
				    * term */
};

_Noreturn void cc_error(struct cc *cc, struct pos pos, const char *tag, const char *fmt, ...)
    __attribute__((noreturn, format(printf, 4, 5)));
/* Like cc_error, with a hint that says what to do. hint may be NULL. */
_Noreturn void cc_error_hint(struct cc *cc, struct pos pos, const char *tag, const char *hint, const char *fmt, ...)
    __attribute__((noreturn, format(printf, 5, 6)));

#endif
