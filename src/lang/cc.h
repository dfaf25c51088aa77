/*
 * The compile context: what all passes over one program share.
 *
 * One struct lang belongs to a handle and lives as long: types, variables,
 * aggregations, inlines and translators are shared by all programs compiled on
 * that handle, as in DTrace. One struct cc is one compilation.
 *
 * Errors: cc_error() describes the first error in cc->diag and jumps out; no
 * pass returns after one. Memory: cc->ar for the tree, thrown away after each
 * top-level declaration or clause was compiled where nothing keeps it; lang->ar for
 * what lives on. Running out of memory jumps out the same way.
 * A compilation that failed leaves the handle as it was (lang_mark, lang_undo).
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
	uint32_t len; /* bytes of the token or construct; 0: unknown */
};

/* An error as the user sees it. Strings are on the heap: diag_free. */
struct diag {
	char *tag;  /* "D_IDENT_UNDEF"; NULL: out of memory */
	char *file; /* NULL: no place known */
	uint32_t line, col, len;
	char *msg;
	char *hint;     /* "did you mean 'x'?", or NULL */
	char *source;   /* the source line or a window of it, or NULL */
	uint32_t caret; /* byte of `source` where the spot is, from 1 */
};
void diag_free(struct diag *d);
/* The whole message, several lines, with caret; on the heap. errtags: with [D_TAG]. */
char *diag_format(const struct diag *d, bool errtags);

struct lang;
struct unit;  /* gen/gen.h: where code is collected */
struct lexer; /* lang/lex.h */

struct cc {
	struct lang *lang;
	struct unit *unit;
	struct probes *probes;
	struct opts *opts;
	struct arena *ar;
	jmp_buf *fail; /* cc_error and out-of-memory of both arenas end here */
	struct diag *diag;

	const char *file; /* name for messages */
	const char *text;
	size_t len;
	bool is_lib;  /* a D library: only declarations */
	bool lenient; /* members of translators that do not compile are left out */
	bool is_file; /* from a file: a description needs a predicate or a body, as in DTrace */

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
	} pspec; /* what a bare description names: -n -P -m -f -i */

	/* The clause being compiled, for checks that depend on its probes. */
	const struct probe *probe; /* the first match, or NULL */
	unsigned nmatches;         /* probes matched by all its descriptions */
	const struct node *pdesc;

	/* The checker's own. */
	const struct scope *scope; /* parameters of the inline or translator being checked, or NULL */
	unsigned nexpanded;        /* nodes made by inlines and translators in this clause or declaration */
	bool args_differ;          /* the clause's probes do not have the same args[] */
	bool probe_is_one;         /* the clause has no other probe than `probe` */
	unsigned texts, terms;     /* bit N: argN is the address of a text, of a term, in all of the clause's probes */
};

_Noreturn void cc_error(struct cc *cc, struct pos pos, const char *tag, const char *fmt, ...)
    __attribute__((noreturn, format(printf, 4, 5)));
/* As cc_error with a hint: what to do. hint may be NULL. */
_Noreturn void cc_error_hint(struct cc *cc, struct pos pos, const char *tag, const char *hint, const char *fmt, ...)
    __attribute__((noreturn, format(printf, 5, 6)));

#endif
