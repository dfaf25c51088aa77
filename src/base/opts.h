/*
 * Options: one table for -x, #pragma D option, setopt() and the environment
 * (DTRACE_OPT_name). A struct opts belongs to a handle; it owns its strings.
 */
#ifndef ET_BASE_OPTS_H
#define ET_BASE_OPTS_H

#include "base/outputs.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum opt_kind {
	OK_FLAG,   /* no value: on; or 0 1 on off yes no enable disable */
	OK_INT,    /* a number */
	OK_SIZE,   /* bytes; k m g t */
	OK_RATE,   /* ns us ms s m h d hz; kept in ns */
	OK_STRING, /* as it is */
	OK_LIST,   /* each setting adds one, joined by newlines */
	OK_POLICY, /* enum eng_bufpolicy */
	OK_RESIZE, /* auto, manual */
	OK_ENGINE, /* user, kernel, "" = choose */
};
enum opt_flag {
	OF_COMPILE = 1,  /* acts on compiling; cannot be changed after the first program was compiled where marked so */
	OF_RUN = 2,      /* fixed when tracing starts */
	OF_DYNAMIC = 4,  /* may change while tracing, by setopt() too */
	OF_NOOP = 8,     /* accepted without effect (docs/options.md says why) */
	OF_UNSET = 16,   /* default is "not set": number -1 */
	OF_CLI = 32,     /* acts in the command */
	OF_OUTSIDE = 64, /* not by a pragma: it concerns what exists before the script is read */
};

/* X(id, name, kind, default number, flags) */
#define ET_OPTS(X) \
	X(AGGHIST, "agghist", OK_FLAG, 0, OF_DYNAMIC) \
	X(AGGPACK, "aggpack", OK_FLAG, 0, OF_DYNAMIC) \
	X(AGGPERCPU, "aggpercpu", OK_FLAG, 0, OF_DYNAMIC) \
	X(AGGRATE, "aggrate", OK_RATE, 1000000000, OF_DYNAMIC) \
	X(AGGSIZE, "aggsize", OK_SIZE, 4 << 20, OF_RUN) \
	X(AGGSORTKEY, "aggsortkey", OK_FLAG, 0, OF_DYNAMIC) \
	X(AGGSORTKEYPOS, "aggsortkeypos", OK_INT, 0, OF_DYNAMIC) \
	X(AGGSORTPOS, "aggsortpos", OK_INT, 0, OF_DYNAMIC) \
	X(AGGSORTREV, "aggsortrev", OK_FLAG, 0, OF_DYNAMIC) \
	X(AGGZOOM, "aggzoom", OK_FLAG, 0, OF_DYNAMIC) \
	X(AMIN, "amin", OK_STRING, 0, OF_COMPILE) \
	X(ARGREF, "argref", OK_FLAG, 0, OF_COMPILE) \
	X(BPFLOG, "bpflog", OK_FLAG, 0, OF_RUN) \
	X(BPFLOGSIZE, "bpflogsize", OK_SIZE, 1 << 20, OF_RUN) \
	X(BUFPOLICY, "bufpolicy", OK_POLICY, 0, OF_RUN) \
	X(BUFRESIZE, "bufresize", OK_RESIZE, 0, OF_RUN) \
	X(BUFSIZE, "bufsize", OK_SIZE, 4 << 20, OF_RUN) \
	X(CLEANRATE, "cleanrate", OK_RATE, 9900990, OF_RUN) \
	X(CORE, "core", OK_FLAG, 0, OF_COMPILE | OF_NOOP) \
	X(COUNTERS, "counters", OK_FLAG, 1, OF_RUN) \
	X(COUNTPART, "countpart", OK_INT, 1, OF_RUN) \
	X(CPP, "cpp", OK_FLAG, 0, OF_COMPILE) \
	X(CPPARGS, "cppargs", OK_LIST, 0, OF_COMPILE) \
	X(CPPHDRS, "cpphdrs", OK_FLAG, 0, OF_COMPILE) \
	X(CPPPATH, "cpppath", OK_STRING, 0, OF_COMPILE) \
	X(CPU, "cpu", OK_INT, -1, OF_RUN | OF_UNSET) \
	X(CTYPES, "ctypes", OK_STRING, 0, OF_COMPILE | OF_NOOP) \
	X(DEBUG, "debug", OK_FLAG, 0, OF_COMPILE | OF_NOOP) \
	X(DEFAULTARGS, "defaultargs", OK_FLAG, 0, OF_COMPILE) \
	X(DEFINE, "define", OK_LIST, 0, OF_COMPILE) \
	X(DESTRUCTIVE, "destructive", OK_FLAG, 0, OF_RUN) \
	X(DISASM, "disasm", OK_INT, 0, OF_COMPILE) \
	X(DISTOPTS, "distopts", OK_STRING, 0, OF_OUTSIDE) \
	X(DROPTAGS, "droptags", OK_FLAG, 0, OF_DYNAMIC) \
	X(DTYPES, "dtypes", OK_STRING, 0, OF_COMPILE | OF_NOOP) \
	X(DYNVARSIZE, "dynvarsize", OK_SIZE, 1 << 20, OF_RUN) \
	X(EMPTY, "empty", OK_FLAG, 0, OF_COMPILE) \
	X(ENCODING, "encoding", OK_STRING, 0, OF_DYNAMIC) \
	X(ENGINE, "engine", OK_ENGINE, 0, OF_RUN) \
	X(ERRTAGS, "errtags", OK_FLAG, 0, OF_COMPILE) \
	X(EVALTIME, "evaltime", OK_STRING, 0, OF_CLI) \
	X(FLOWINDENT, "flowindent", OK_FLAG, 0, OF_DYNAMIC) \
	X(INCDIR, "incdir", OK_LIST, 0, OF_COMPILE) \
	X(IREGS, "iregs", OK_INT, 0, OF_COMPILE | OF_NOOP | OF_OUTSIDE) \
	X(JOIN, "join", OK_STRING, 0, OF_OUTSIDE) \
	X(JSTACKFRAMES, "jstackframes", OK_INT, 50, OF_RUN) \
	X(JSTACKSTRSIZE, "jstackstrsize", OK_SIZE, 512, OF_RUN) \
	X(KDEFS, "kdefs", OK_FLAG, 0, OF_COMPILE | OF_NOOP) \
	X(KNODEFS, "knodefs", OK_FLAG, 0, OF_COMPILE | OF_NOOP) \
	X(LATE, "late", OK_STRING, 0, OF_COMPILE | OF_NOOP) \
	X(LAZYLOAD, "lazyload", OK_FLAG, 0, OF_COMPILE | OF_NOOP) \
	X(LDPATH, "ldpath", OK_STRING, 0, OF_COMPILE | OF_NOOP | OF_OUTSIDE) \
	X(LIBDIR, "libdir", OK_LIST, 0, OF_COMPILE) \
	X(LINKMODE, "linkmode", OK_STRING, 0, OF_COMPILE | OF_NOOP) \
	X(LINKTYPE, "linktype", OK_STRING, 0, OF_COMPILE | OF_NOOP) \
	X(LOCKMEM, "lockmem", OK_SIZE, 0, OF_RUN | OF_NOOP) \
	X(MAXFIRE, "maxfire", OK_RATE, 10000000, OF_RUN) \
	X(MAXFRAMES, "maxframes", OK_INT, 127, OF_RUN) \
	X(MAXOVERHEAD, "maxoverhead", OK_INT, 25, OF_RUN) \
	X(MERGEABOVE, "mergeabove", OK_INT, 30, OF_RUN) \
	X(MODPATH, "modpath", OK_STRING, 0, OF_COMPILE | OF_NOOP | OF_OUTSIDE) \
	X(NODEDIR, "nodedir", OK_STRING, 0, OF_OUTSIDE) \
	X(NOLIBS, "nolibs", OK_FLAG, 0, OF_COMPILE) \
	X(NORESOLVE, "noresolve", OK_FLAG, 0, OF_DYNAMIC) \
	X(NSPEC, "nspec", OK_INT, 1, OF_RUN) \
	X(PGMAX, "pgmax", OK_INT, 0, OF_COMPILE | OF_NOOP) \
	X(PIDNAMES, "pidnames", OK_FLAG, 1, OF_DYNAMIC) \
	X(PREALLOCATE, "preallocate", OK_SIZE, 0, OF_COMPILE | OF_NOOP) \
	X(PRINTSIZE, "printsize", OK_SIZE, 8192, OF_DYNAMIC) \
	X(PROCFSPATH, "procfspath", OK_STRING, 0, OF_COMPILE | OF_NOOP) \
	X(PSPEC, "pspec", OK_FLAG, 0, OF_COMPILE) \
	X(QUIET, "quiet", OK_FLAG, 0, OF_DYNAMIC) \
	X(QUIETRESIZE, "quietresize", OK_FLAG, 1, OF_RUN) \
	X(RAWBYTES, "rawbytes", OK_FLAG, 0, OF_DYNAMIC) \
	X(RAWTEXT, "rawtext", OK_FLAG, 0, OF_DYNAMIC) \
	X(SAMPLE, "sample", OK_INT, 1, OF_RUN) \
	X(SCRATCHSIZE, "scratchsize", OK_SIZE, 64 << 10, OF_RUN) \
	X(SETENV, "setenv", OK_LIST, 0, OF_CLI | OF_OUTSIDE) \
	X(SPECSIZE, "specsize", OK_SIZE, 32 << 10, OF_RUN) \
	X(STACKFRAMES, "stackframes", OK_INT, 20, OF_RUN) \
	X(STACKINDENT, "stackindent", OK_INT, 14, OF_DYNAMIC) \
	X(STATUSRATE, "statusrate", OK_RATE, 1000000000, OF_DYNAMIC) \
	X(STDC, "stdc", OK_STRING, 0, OF_COMPILE) \
	X(STRIP, "strip", OK_FLAG, 0, OF_COMPILE | OF_NOOP) \
	X(STRSIZE, "strsize", OK_SIZE, 256, OF_RUN) \
	X(SWITCHRATE, "switchrate", OK_RATE, 1000000000, OF_DYNAMIC) \
	X(SYSLIBDIR, "syslibdir", OK_STRING, 0, OF_COMPILE) \
	X(SYSSLICE, "sysslice", OK_STRING, 0, OF_CLI | OF_NOOP) \
	X(TEMPORAL, "temporal", OK_FLAG, 1, OF_DYNAMIC) \
	X(TERMBYTES, "termbytes", OK_SIZE, 64 << 10, OF_RUN) \
	X(TERMPARTS, "termparts", OK_INT, 4096, OF_RUN) \
	X(TREE, "tree", OK_INT, 0, OF_COMPILE | OF_NOOP) \
	X(TREGS, "tregs", OK_INT, 0, OF_COMPILE | OF_NOOP) \
	X(UDEFS, "udefs", OK_FLAG, 0, OF_COMPILE | OF_NOOP) \
	X(UNDEF, "undef", OK_LIST, 0, OF_COMPILE) \
	X(UNODEFS, "unodefs", OK_FLAG, 0, OF_COMPILE | OF_NOOP) \
	X(UNSETENV, "unsetenv", OK_LIST, 0, OF_CLI | OF_OUTSIDE) \
	X(USERUID, "useruid", OK_INT, 0, OF_RUN | OF_NOOP) \
	X(USTACKFRAMES, "ustackframes", OK_INT, 20, OF_RUN) \
	X(VERBOSE, "verbose", OK_FLAG, 0, OF_COMPILE) \
	X(VERSION, "version", OK_STRING, 0, OF_COMPILE) \
	X(ZDEFS, "zdefs", OK_FLAG, 0, OF_COMPILE) \
	ET_OUTPUTS(ET_OUTPUT_OPT, X)
#define ET_OUTPUT_OPT(X, id, name, help) X(id, #name, OK_FLAG, 0, OF_DYNAMIC)

enum opt_id {
#define X(id, name, kind, dflt, flags) OPT_##id,
	ET_OPTS(X)
#undef X
	    OPT_COUNT
};

struct opts {
	int64_t num[OPT_COUNT]; /* flags: 0 or 1 */
	char *str[OPT_COUNT];   /* OK_STRING, OK_LIST; NULL if not set */
	bool set[OPT_COUNT];    /* by anybody */
	bool going;             /* tracing has started: only OF_DYNAMIC may change */
};

enum opt_result { OPT_OK, OPT_UNKNOWN, OPT_BADVALUE, OPT_TOOLATE, OPT_NOMEM };

void opts_init(struct opts *o);
void opts_free(struct opts *o);
/* A NULL value sets the option without a value. */
enum opt_result opts_set(struct opts *o, const char *name, const char *value);
/* Returns NULL if no option is near this name. */
const char *opts_near(const char *name);
/* Says for people which values the option takes ("a size: ..."). */
const char *opts_wants(const char *name);
/* Returns whether a script may not set it by a pragma. */
bool opts_is_outside(const char *name);
enum opt_result opts_get(const struct opts *o, const char *name, int64_t *num, const char **str);
/* Parsers of values, for other files too: "10ms", "997hz", "4k". A rate without a unit is in hz, as in DTrace. */
bool opt_parse_rate(const char *s, int64_t *ns);
bool opt_parse_size(const char *s, int64_t *bytes);

#endif
