/* What the tests of src/lang share: a handle's worth of things to compile with. */
#ifndef TEST_LANG_H
#define TEST_LANG_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/opts.h"
#include "gen/gen.h"
#include "gen/compile.h"
#include "lang/lang.h"
#include "lang/lex.h"
#include "lang/parse.h"
#include "lang/tags.h"

struct fix {
	struct opts opts;
	struct lang *lang;
	struct unit *unit;
	struct probes *probes;
	struct diag diag;
	struct cc cc; /* for those who call the lexer or the parser themselves */
	struct arena ar;
	jmp_buf fail;
	int argc;
	const char *const *argv;
	int pspec;
	bool is_file;
	int64_t target;
	unsigned nclauses; /* of the last compilation */
};

static inline void
fix_open(struct fix *f)
{
	memset(f, 0, sizeof *f);
	opts_init(&f->opts);
	f->target = -1;
	f->lang = lang_new(&f->opts);
	f->unit = unit_new();
	f->probes = probes_new();
	assert_non_null(f->lang);
	assert_non_null(f->unit);
	assert_non_null(f->probes);
}

static inline void
fix_close(struct fix *f)
{
	diag_free(&f->diag);
	ar_free(&f->ar);
	probes_free(f->probes);
	unit_free(f->unit);
	lang_free(f->lang);
	opts_free(&f->opts);
}

/* Sets up f->cc over a text. The caller does the setjmp on f->fail before it calls anything. */
static inline struct cc *
fix_cc(struct fix *f, const char *text, size_t len)
{
	ar_free(&f->ar);
	ar_init(&f->ar, &f->fail);
	f->lang->ar.oom = &f->fail;
	diag_free(&f->diag);
	f->cc = (struct cc){.lang = f->lang,
	    .probes = f->probes,
	    .opts = &f->opts,
	    .ar = &f->ar,
	    .fail = &f->fail,
	    .diag = &f->diag,
	    .file = "t.d",
	    .text = text,
	    .len = len,
	    .argc = f->argc,
	    .argv = f->argv,
	    .target = f->target,
	    .is_file = f->is_file};
	f->cc.pspec = (unsigned)f->pspec;
	return &f->cc;
}

/* "" or the tag of the error. The message is in f->diag. */
static inline const char *
fix_compile_n(struct fix *f, const char *text, size_t len)
{
	struct job j = {.lang = f->lang,
	    .unit = f->unit,
	    .probes = f->probes,
	    .opts = &f->opts,
	    .file = "t.d",
	    .text = text,
	    .len = len,
	    .argc = f->argc,
	    .argv = f->argv,
	    .target = f->target,
	    .pspec = f->pspec,
	    .is_file = f->is_file};
	struct compiled out = {0};
	diag_free(&f->diag);
	bool ok = et_compile(&j, &out, &f->diag);
	f->nclauses = out.nclauses;
	free(out.stability);
	if (ok)
		return "";
	assert_non_null(f->diag.tag);
	assert_true(tag_known(f->diag.tag));
	return f->diag.tag;
}

static inline const char *
fix_compile(struct fix *f, const char *text)
{
	return fix_compile_n(f, text, strlen(text));
}

/* Like fix_compile, on a fresh handle. The answer lives until the next call. */
static inline const char *
tag_of(const char *text)
{
	static char tag[64];
	struct fix f;
	fix_open(&f);
	strncpy(tag, fix_compile(&f, text), sizeof tag - 1);
	fix_close(&f);
	return tag;
}

#endif
