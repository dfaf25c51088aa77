/* Compiling D source to an object, for tests of objects. */
#ifndef ET_TEST_CODE_OBJECT_H
#define ET_TEST_CODE_OBJECT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gen/gen.h"
#include "gen/compile.h"
#include "lang/lang.h"

#include <stdlib.h>
#include <string.h>

/* Something of everything. */
static const char rich_source[] =
    "#pragma D option quiet\n"
    "#pragma D option bufsize=64k\n"
    "struct in { char c; short h; }; enum e { ONE = 1, TWO };\n"
    "struct s { int i; unsigned b:3; struct in n; char t[8]; enum e e; struct s *next; string *sp; };\n"
    "struct s g; self struct s t; struct s m[int, string]; int arr[4]; string str; this string loc;\n"
    "BEGIN, END /arg0 == 1 || g.i > 2 && !arr[1]/ {\n"
    "  g.i++; self->t.b = 3; m[1, \"x\"].n.h = 4; x = 0x123456789abc; "
    "str = strjoin(execname, \"y\"); this->loc = str;\n"
    "  @[pid, execname, stack(3), usym(arg0)] = quantize(arg1); @c = count(); "
    "@l[arg0] = lquantize(arg1, 0, 100, 5, 2);\n"
    "  @ll = llquantize(arg1, 10, 0, 6, 20); @s = stddev(arg0);\n"
    "  trace(x); trace(g); print(g); printf(\"%d %s %k\\n\", x, str, ustack(4)); "
    "tracemem(arg0, 16); stack(); sym(arg0);\n"
    "  self->spec = speculation(); \n"
    "}\n"
    "BEGIN { if (arg0) { trace(1); } else if (arg1) { x = 1; } else { trace(x ? \"a\" : \"b\"); } exit(x / arg0); }\n"
    "BEGIN { speculate(self->spec); trace(1); }\n"
    "BEGIN { commit(self->spec); }\n"
    "BEGIN { printa(\"%@d\\n\", @c); clear(@c); trunc(@l, 5); normalize(@c, 10); "
    "denormalize(@c); setopt(\"quiet\"); }\n"
    "BEGIN { system(\"echo %d\", x); freopen(\"/dev/null\"); raise(9); chill(1); fds[0].fi_oflags; }\n"
    "alert p99(@ll in us) > 50ms until 40ms for 30s over 10s \"[critical] %@d\";\n"
    "tick-1s\n";

/* Compiles a program. When it has an error, returns false with it in *diag, which is for the caller to free. */
static inline bool
compile_or_not(struct dobj *o, const char *source, struct diag *diag)
{
	struct opts opts;
	opts_init(&opts);
	struct probes *probes = probes_new();
	struct lang *lang = lang_new(&opts);
	struct unit *unit = unit_new();
	struct job job = {.lang = lang,
	    .unit = unit,
	    .probes = probes,
	    .opts = &opts,
	    .file = "t.d",
	    .text = source,
	    .len = strlen(source),
	    .target = -1,
	    .pspec = PS_NAME};
	struct compiled done = {0};
	bool ok = et_compile(&job, &done, diag);
	if (ok)
		assert_true(unit_object(unit, o));
	free(done.stability);
	unit_free(unit);
	lang_free(lang);
	probes_free(probes);
	opts_free(&opts);
	return ok;
}

static inline void
compile_to(struct dobj *o, const char *source)
{
	struct diag diag = {0};
	if (!compile_or_not(o, source, &diag)) {
		char *text = diag_format(&diag, true);
		fail_msg("%s", text);
	}
}

#endif
