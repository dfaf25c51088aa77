/*
 * liberltrace: DTrace's D from source to output, in the manner of libdtrace.
 *
 *	struct et *h = et_open(ET_VERSION, &err);
 *	et_setopt(h, "bufsize", "4m");
 *	struct et_prog *p = et_program_strcompile(h, "tick-1s { @ = count(); }", ET_PROBESPEC_NAME, 0, 0, NULL);
 *	et_program_exec(h, p, NULL);
 *	et_go(h);
 *	do {
 *		et_sleep(h);
 *		status = et_work(h, stdout, NULL, NULL, NULL);
 *	} while (status == ET_WORKSTATUS_OKAY);
 *	et_stop(h);                                  (only when leaving the loop early)
 *	et_aggregate_print(h, stdout, NULL, NULL);
 *	et_close(h);
 *
 * Errors: functions that return int return 0 or -1. Functions that return a pointer return NULL on failure. et_errno()
 * and et_errmsg() then say why. The library prints only to the stream given, never exits, and has no state outside the
 * handle.
 *
 * Ownership: everything that a handle gives out belongs to it and lives until et_close(), unless said otherwise. What a
 * callback is given lives until the callback returns. The caller must free() text that is said to be on the heap.
 *
 * Threads: one thread at a time uses a handle. Only et_wake() and et_interrupt() may be called from any thread and from
 * signal handlers. Probes fire on their own threads, but no callback is ever called on those. Two handles know nothing
 * of each other.
 */
#ifndef ERLTRACE_H
#define ERLTRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ET_VERSION 1 /* of this interface */
#define ET_VERSION_TEXT "1.0.0"

struct et;      /* a handle */
struct et_prog; /* a compiled program */

/* -- errors ---------------------------------------------------------------------------------------------- */

/* X(id, message) */
#define ET_ERRORS(X) \
	X(NONE, "no error") \
	X(NOMEM, "out of memory") \
	X(VERSION, "the program was built for another version of the library") \
	X(INVAL, "invalid argument") \
	X(ORDER, "called at the wrong time") \
	X(OPTNAME, "unknown option") \
	X(OPTVALUE, "invalid value for the option") \
	X(OPTLATE, "the option cannot be changed any more") \
	X(COMPILE, "the program could not be compiled") \
	X(OBJECT, "not a valid D object") \
	X(MIXED, "a D object cannot be combined with other programs in one handle") \
	X(NOPROG, "no program is enabled") \
	X(NOPROBE, "no such probe") \
	X(DESTRUCTIVE, "destructive actions not allowed") \
	X(ENGINE, "the engine could not be started") \
	X(PROVIDER, "a provider could not be started") \
	X(ABORT, "a callback asked to stop") \
	X(WRITE, "the output could not be written") \
	X(READ, "the program could not be read") \
	X(NODE, "the node could not be attached to") \
	X(INTERRUPTED, "interrupted")

enum et_error {
#define X(id, text) ET_E##id,
	ET_ERRORS(X)
#undef X
	    ET_NERRORS
};

/* The error of the last call that failed. */
int et_errno(struct et *h);
/* Returns the whole message. For ET_ECOMPILE it has several lines: the place, the source line and a caret, and with
 * the option errtags also DTrace's tag. The text lives until the next failure. If h is NULL it is the general text
 * of err. */
const char *et_errmsg(struct et *h, int err);

/* The place of a failed compilation. */
struct et_diag {
	const char *tag;  /* "D_SYNTAX" */
	const char *file; /* NULL if unknown */
	unsigned line, col, len;
	const char *msg;    /* one line */
	const char *hint;   /* or NULL */
	const char *source; /* the source line, or NULL */
};
/* Returns NULL unless the last failure was ET_ECOMPILE. */
const struct et_diag *et_errdiag(struct et *h);

/* -- the handle ------------------------------------------------------------------------------------------ */

/* Returns NULL on failure; *err says why. */
struct et *et_open(int version, int *err);
/* Stops tracing if it is on. NULL is allowed. */
void et_close(struct et *h);
/* Returns ET_VERSION_TEXT of the library itself. */
const char *et_version(void);

/* Sets an option by DTrace's name: docs/options.md. A NULL value sets it without a value. */
int et_setopt(struct et *h, const char *name, const char *value);
/* Gets numbers, sizes in bytes, rates in ns and flags (0 or 1) in *num, text in *str (NULL if unset). Both may be
 * NULL. */
int et_getopt(struct et *h, const char *name, int64_t *num, const char **str);

/* Values of the option engine. */
enum et_engine { ET_ENGINE_ANY, ET_ENGINE_USER, ET_ENGINE_KERNEL };

/* Attaches to a live Erlang node (shop@host): erlang probes become available, and everything runs inside that node.
 * If cookie is NULL, ~/.erlang.cookie is used. Call it once, before compiling. */
int et_attach(struct et *h, const char *node, const char *cookie);
/* Attaches to several nodes, all or none (docs/cluster.md). Programs run on every node. Aggregations are those of all
 * nodes together; records come in order of time and say their node (et_probedata). When a node is lost the others go
 * on (ET_DROP_NODE). With the option join, nodes that join later are traced too. The names are not needed after it
 * returns. */
int et_attach_nodes(struct et *h, const char *const *nodes, unsigned n, const char *cookie);
/* Attaches to the node of a process of this machine, which may be in a container. Its name, its cookie (if cookie is
 * NULL) and where it listens are found in /proc and in its own files; for the processes of other users that needs root.
 */
int et_attach_pid(struct et *h, int64_t pid, const char *cookie);

/* Writes the pid (<0.85.0>) of the process that is registered under a name on the node that the handle is attached to.
 * A pid stands for itself, if the process lives. Scripts compare processes by their pids. With several nodes it fails,
 * because a pid means another process on each. */
int et_find_process(struct et *h, const char *name, char *pid, size_t size);

/* Several handles may share the helper through which nodes with TLS are reached, which the option distopts starts for
 * each: h uses that of `of`, which has the option and needs nothing else. It is started if it is not there, or has
 * ended. Call it before attaching; not in several threads with the same `of` at a time. */
int et_set_helper(struct et *h, struct et *of);

/* For scripts of people who may not see all of this machine. There are no probes of the kernel or of other processes
 * and no kernel engine, and copyin() and the like read nothing of this process. `why` is the error message for a
 * script that needs one of these; it must outlive the handle. Call it before compiling. Scripts cannot undo it. */
int et_confine(struct et *h, const char *why);

/* Sets $target; -1 for none. Call it before compiling. */
int et_set_target(struct et *h, int64_t pid);

/* Called when probes inside a process are looked for, before its program and libraries are read. A caller that holds
 * a process back until et_go() lets it load them now. */
typedef void et_target_f(void *arg, int64_t pid);
int et_handle_target(struct et *h, et_target_f *fn, void *arg);

/* How et_work() and et_aggregate_print() may show things. The default, 0, is DTrace's plain text. */
enum et_show {
	ET_SHOW_COLOUR = 1,  /* escape sequences of terminals */
	ET_SHOW_UNICODE = 2, /* bars of distributions with block characters */
	ET_SHOW_SAFE = 4,    /* for a terminal: control characters in data become escapes, unless the option rawtext is
			      * set */
	ET_SHOW_UTF8 = 8,    /* with SAFE: the terminal understands UTF-8 */
};
int et_set_show(struct et *h, unsigned show);

/* Names an address for stacks, sym(), %a …; pid 0 is the kernel. Returns false if it is unknown. The strings must
 * live until the next call. *off is the distance from the symbol. A symbol "" adds nothing to the module's name. */
typedef bool et_symbol_f(
    void *arg, int64_t pid, uint64_t addr, const char **module, const char **symbol, uint64_t *off);
/* Without one, the library names addresses itself: the kernel's from /proc/kallsyms, those of processes from their
 * mappings, the symbols of ELF files and the perf maps of JIT compilers. NULL goes back to that. */
int et_set_symboliser(struct et *h, et_symbol_f *fn, void *arg);
/* Asks the handle's symboliser for what stacks print. *module is "" for JIT code, which has only *symbol. *symbol is
 * NULL if only the module is known. */
bool et_symbol(struct et *h, int64_t pid, uint64_t addr, const char **module, const char **symbol, uint64_t *off);

/* -- programs -------------------------------------------------------------------------------------------- */

/* Which field a description without colons names: -n -P -m -f -i. */
enum et_probespec { ET_PROBESPEC_NAME, ET_PROBESPEC_PROVIDER, ET_PROBESPEC_MOD, ET_PROBESPEC_FUNC, ET_PROBESPEC_ID };

enum et_cflag {
	ET_C_CPP = 1,   /* run cpp first (-C) */
	ET_C_ZDEFS = 2, /* descriptions that match nothing are allowed (-Z) */
	ET_C_EMPTY = 4, /* an empty program is allowed */
	ET_C_LIST = 8,  /* for listing: like ET_C_ZDEFS, but matches only existing probes, not those that may come
			 * later */
};

/* Where the probes of a program are. */
enum et_where {
	ET_WHERE_ANY = 0,    /* anywhere: BEGIN, tick-1s, …, or descriptions without a provider */
	ET_WHERE_NODE = 1,   /* in an Erlang node */
	ET_WHERE_KERNEL = 2, /* in the kernel, or inside processes that are no nodes */
	ET_WHERE_BOTH = ET_WHERE_NODE | ET_WHERE_KERNEL,
};
/* Tells by the descriptions of a program what to attach to before it is compiled; if they could be anywhere, a built-in
 * that only nodes have (eproc) decides. It is only parsed: what the descriptions match is not looked for, and arguments
 * may be missing. If it cannot be parsed, those before the mistake
 * count, or ET_WHERE_BOTH if there are none: compiling will say what is wrong. Use a handle for this alone, because
 * options that the program sets are set in it. name is as in et_program_fcompile(), or NULL for the text of a command
 * line. */
enum et_where et_program_where(struct et *h, const char *text, const char *name, enum et_probespec spec,
    unsigned cflags, int argc, const char *const *argv);

/* argv[0] is $0, argv[1] is $1, …; argv may be NULL. Messages name the text "<command line>". */
struct et_prog *et_program_strcompile(
    struct et *h, const char *text, enum et_probespec spec, unsigned cflags, int argc, const char *const *argv);
/* Reads fp to its end. name is for messages and for #include "…"; argv[0] should be the same. */
struct et_prog *et_program_fcompile(
    struct et *h, FILE *fp, const char *name, unsigned cflags, int argc, const char *const *argv);

/* Loads a D object, which must be the only program of its handle. The bytes remain the caller's and may be freed
 * afterwards. */
struct et_prog *et_program_load(struct et *h, const void *bytes, size_t len, const char *name);
/* Saves all programs of the handle as one D object, on the heap. */
int et_program_save(struct et *h, void **bytes, size_t *len);
/* Returns whether the bytes begin like a D object. */
bool et_is_object(const void *bytes, size_t len);

struct et_proginfo {
	unsigned clauses;      /* clauses in the program */
	unsigned matches;      /* probes that its descriptions match, as in "matched N probes" */
	bool destructive;      /* needs the option destructive */
	bool files;            /* writes to files or truncates them: freopen(), ftruncate(), pcap() */
	const char *stability; /* what -v shows; lives as long as the program; NULL if unknown */
};
/* Counts without enabling. */
int et_program_info(struct et *h, struct et_prog *p, struct et_proginfo *info);
/* Enables the program: it takes part from et_go() on. info may be NULL. Call it once per program, before et_go(). */
int et_program_exec(struct et *h, struct et_prog *p, struct et_proginfo *info);

/* Returns what predicates say about arguments, so that fewer probes need to be set: one line each, on the heap; ""
 * if nothing. */
char *et_program_narrowed(struct et *h, struct et_prog *p);
/* Returns whether calls of functions need no event each, because the program only counts them: 1 or 0, or -1 on error.
 */
int et_program_counts(struct et *h, struct et_prog *p);
/* Returns a readable listing of all clauses (-S), on the heap. */
char *et_disasm(struct et *h, struct et_prog *p);

/* -- probes ---------------------------------------------------------------------------------------------- */

struct et_probe {
	uint32_t id;
	const char *provider, *module, *function, *name;
	const char *const *argtypes; /* NULL-terminated; NULL if the probe has no typed arguments */
	const char *stability;       /* "Stable/Stable/Common", three attributes of name, data, class; or NULL */
	const char *refusal;         /* why it cannot be enabled here: "needs the kernel engine: …"; or NULL */
	const char *argnames;        /* "sender,receiver,size": names of args[]; NULL if unknown */
	const char *argsource;       /* when listed: where the types come from, "the kernel's BTF"; or NULL */
};
/* Returning anything but 0 stops; et_probe_iter then returns it. */
typedef int et_probe_f(struct et *h, const struct et_probe *p, void *arg);
/* Calls fn for all probes that match, in order of id. Returns their number, or -1. desc is as D writes it, read by
 * spec; NULL means all. */
int et_probe_iter(struct et *h, const char *desc, enum et_probespec spec, et_probe_f *fn, void *arg);
/* The same for the probes that the clauses of a program match, each clause in turn. */
int et_program_probes(struct et *h, struct et_prog *p, et_probe_f *fn, void *arg);

/* -- tracing --------------------------------------------------------------------------------------------- */

/* Starts tracing. When this returns BEGIN has run, and the other probes are on. */
int et_go(struct et *h);
/* Stops tracing. When this returns END has run; what was recorded waits for et_work(). Does nothing if already
 * stopped. */
int et_stop(struct et *h);

/* Waits until something is due (switchrate, aggrate, statusrate), exit() was called, or et_wake(). */
void et_sleep(struct et *h);
/* Ends the current or the next et_sleep(). */
void et_wake(struct et *h);
/* Like et_wake(), and the next et_work() stops tracing: for SIGINT. Attaching, compiling and looking for probes end
 * soon too, and fail with ET_EINTERRUPTED. */
void et_interrupt(struct et *h);

enum et_status {
	ET_STATUS_NONE,    /* not started */
	ET_STATUS_OKAY,    /* tracing */
	ET_STATUS_EXITED,  /* exit() was called; et_exit_status() returns its argument */
	ET_STATUS_FILLED,  /* bufpolicy=fill: a buffer is full */
	ET_STATUS_STOPPED, /* et_stop() or et_interrupt() */
};
enum et_status et_status(struct et *h);
int et_exit_status(struct et *h);

/*
 * What tracing costs. On an Erlang node it is what the overhead guard measures: ns that tracing has used of the node's
 * schedulers since et_go(), including the VM's own part, from one event in 64. In the kernel it is ns that the programs
 * have run, as the kernel counts them. That begins with the first call, because counting costs two looks at a clock per
 * event. Elsewhere it is not known, and neither where the kernel does not permit it (it needs CAP_SYS_ADMIN).
 */
struct et_cost {
	bool known;
	uint64_t spent;
};
int et_cost(struct et *h, struct et_cost *c);

/* The clock of one of several nodes (et_attach_nodes), as it is known now: nodes are asked again every second. Times of
 * records are corrected by it. */
struct et_clock {
	const char *node;
	int64_t ahead;   /* ns that it is ahead of this machine's monotonic clock */
	uint64_t within; /* ns: how wrong that may be; 0 if it is this machine's clock */
	bool lost;       /* the node is not traced any more */
};
typedef void et_clock_f(const struct et_clock *clock, void *arg);
/* Calls fn for each node. Does nothing if there is only one. */
int et_clocks(struct et *h, et_clock_f *fn, void *arg);

/* Calls fn for the descriptions of the enabled programs none of whose probes has fired, as D writes them. Predicates
 * do not matter. Descriptions of BEGIN, END, ERROR and timers are left out. Call it before et_close(). Returns the
 * number of all descriptions that were looked at, or -1 if the engine does not know. */
int et_unfired(struct et *h, void (*fn)(void *arg, const char *description), void *arg);

/* One field of a record or one element of a key. */
enum et_kind {
	ET_K_INT,
	ET_K_STRING,
	ET_K_BYTES,
	ET_K_STACK,  /* pcs, npcs, pid (0 for the kernel) */
	ET_K_SYMBOL, /* num: an address, pid */
};
/* How a symbol is shown. */
enum et_symform {
	ET_SYM_NAME,   /* sym(), usym(): module`symbol */
	ET_SYM_MODULE, /* mod(), umod(): module */
	ET_SYM_OFFSET, /* uaddr(): module`symbol+0x1f */
};
struct et_value {
	enum et_kind kind;
	bool is_signed;
	unsigned size;    /* bytes of an integer's type */
	int64_t num;      /* ET_K_INT (cast it if unsigned 64-bit), ET_K_SYMBOL */
	const void *data; /* ET_K_STRING: NUL-terminated; ET_K_BYTES */
	size_t len;       /* of data, not counting the NUL */
	const uint64_t *pcs;
	unsigned npcs;
	int64_t pid;
	enum et_symform form; /* ET_K_SYMBOL */
};
/*
 * Returns the text of a value, on the heap; NULL if there is no memory. It is what the page, pictures and --top show:
 * integers decimal, with the sign of their type; strings as they are; bytes in hexadecimal; symbols as D prints them;
 * the frames of a stack as module`symbol, outermost first, separated by ";". Addresses without a name, and all of them
 * with the option noresolve, are 0x….
 * (The columns of keys that et_aggregate_print() prints are DTrace's, which go by the size of the integer: uint64_t and
 * uint32_t keys have a sign there, int8_t and int16_t keys do not.)
 */
char *et_value_text(struct et *h, const struct et_value *v);

enum et_flow { ET_FLOW_NONE, ET_FLOW_ENTRY, ET_FLOW_RETURN };

/* A probe fired. */
struct et_probedata {
	struct et *h;
	const struct et_probe *probe;
	uint32_t epid;
	unsigned cpu;
	uint64_t timestamp; /* ns, monotonic */
	enum et_flow flow;
	unsigned indent;    /* columns, with flowindent */
	const char *prefix; /* "-> ", "<- ", … with flowindent, otherwise "" */
	const char *node;   /* if several nodes are traced: where it happened; NULL if it is about all of them */
	/* With flowindent, set before the program was compiled: the Erlang process, whose lines are indented by
	 * themselves; "" or NULL if none is known. */
	const char *process;
};

/* One action of a record. */
struct et_recdata {
	const char *action; /* "printf", "trace", "printa", "exit", "stack", … */
	const char *format; /* or NULL */
	unsigned nvalues;
	const struct et_value *values;
	const char *text; /* what it prints by default; "" for actions that print nothing */
};

/* What to do next. From a probe callback: THIS shows the record, NEXT skips it. From a record callback: THIS carries
 * the action out in the default way (prints it), NEXT does not. ABORT and ERROR end et_work(). */
enum et_consume { ET_CONSUME_THIS, ET_CONSUME_NEXT, ET_CONSUME_ABORT, ET_CONSUME_ERROR };
typedef enum et_consume et_probe_cb(const struct et_probedata *d, void *arg);
/* rec is NULL after the last action of a record. */
typedef enum et_consume et_rec_cb(const struct et_probedata *d, const struct et_recdata *rec, void *arg);

enum et_workstatus {
	ET_WORKSTATUS_OKAY = 0,
	ET_WORKSTATUS_DONE = 1,   /* tracing is over and everything was consumed */
	ET_WORKSTATUS_ERROR = -1, /* see et_errno() */
};
/*
 * Does what is due: takes records out, shows them on fp, looks at drops and aggregations, and stops tracing after
 * exit(). Call it in turn with et_sleep(). If both callbacks are NULL, records are shown as dtrace(1) does: header,
 * CPU, ID and FUNCTION:NAME columns, flow indentation (options quiet and flowindent), or one JSON object per line
 * (option json: docs/json.md). With callbacks, the callbacks print header and columns; actions print as the callbacks
 * allow. If fp is NULL all output goes to the buffered handler, which must be set.
 */
enum et_workstatus et_work(struct et *h, FILE *fp, et_probe_cb *pcb, et_rec_cb *rcb, void *arg);
/* Consumes only the records that are there now. Returns 0 or -1. */
int et_consume(struct et *h, FILE *fp, et_probe_cb *pcb, et_rec_cb *rcb, void *arg);

/* -- handlers
 * ---------------------------------------------------------------------------------------------------------- */

/* A handler that returns ET_HANDLE_ABORT ends et_work() with ET_EABORT. Without a handler for errors or drops,
 * et_work() goes on silently. */
enum et_handle { ET_HANDLE_OK, ET_HANDLE_ABORT };

struct et_errdata {
	const struct et_probe *probe;
	uint32_t epid;
	unsigned cpu;
	int action;      /* number of the action in its clause; 0 for the predicate */
	uint32_t offset; /* in the clause's DIF, in bytes */
	int fault;       /* DTrace's number */
	uint64_t value;  /* the address, … */
	const char *msg; /* "error on enabled probe ID 2 (ID 1: dtrace:::BEGIN): divide-by-zero in action #1 at DIF
			    offset 12\n" */
};
typedef enum et_handle et_err_f(const struct et_errdata *e, void *arg);
int et_handle_err(struct et *h, et_err_f *fn, void *arg);

enum et_dropkind {
	ET_DROP_PRINCIPAL,
	ET_DROP_AGGREGATION,
	ET_DROP_DYNAMIC,
	ET_DROP_SPEC,
	ET_DROP_SPECBUSY,
	ET_DROP_SPECUNAVAIL,
	ET_DROP_STKSTROVERFLOW,
	ET_DROP_DBLERROR,
	ET_DROP_UNTRACED, /* what a node does not allow to be traced; drops and total are 0 */
	ET_DROP_OVERHEAD, /* tracing took more than maxoverhead or maxfire allows and was ended; drops and total are
			   * 0 */
	ET_DROP_MEMORY,   /* the memory handler had no room for an aggregation's element */
	ET_DROP_LATE,     /* clauses that did not run because the event had taken longer than maxfire */
	ET_DROP_TERM,     /* terms larger than one event may look at */
	ET_DROP_BLOCKED,  /* nobody read the output for some time; drops and total are 0 */
	ET_DROP_NODE,     /* one of several nodes was lost; drops and total are 0 */
	ET_DROP_NEWS,     /* one of several nodes does not answer, or answers again, or has joined; the same */
};
struct et_dropdata {
	enum et_dropkind kind;
	uint64_t drops; /* new ones */
	uint64_t total;
	/* "3 drops on CPU 0\n", after "[DTRACEDROP_PRINCIPAL] " if the option droptags is set */
	const char *msg;
};
typedef enum et_handle et_drop_f(const struct et_dropdata *d, void *arg);
int et_handle_drop(struct et *h, et_drop_f *fn, void *arg);

/* Asked for `bytes` more before an element of an aggregation is kept. Return false if there is no room: the values
 * of that element are dropped and counted (ET_DROP_MEMORY), while elements that are already kept go on counting. If
 * bytes < 0, that many are given back, and the result is ignored. Without a handler there is no limit. Set it before
 * et_go(). */
typedef bool et_memory_f(int64_t bytes, void *arg);
int et_handle_memory(struct et *h, et_memory_f *fn, void *arg);

/* setopt() of the program changed an option. */
struct et_setoptdata {
	const char *option;
	const char *oldval, *newval;
};
typedef enum et_handle et_setopt_f(const struct et_setoptdata *d, void *arg);
int et_handle_setopt(struct et *h, et_setopt_f *fn, void *arg);

/* Output if et_work() is given no stream. */
struct et_bufdata {
	const char *text; /* len bytes and a NUL */
	size_t len;
	const struct et_probe *probe; /* NULL if it is not from a record */
	const char *aggregation;      /* name, or NULL */
};
typedef enum et_handle et_buffered_f(const struct et_bufdata *d, void *arg);
int et_handle_buffered(struct et *h, et_buffered_f *fn, void *arg);

/* An alert() of the program, or an alert over an aggregation: docs/alerts.md. */
struct et_alertdata {
	const char *text;   /* with its values */
	const char *format; /* as the script has it; NULL if it has none */
	const char *file;   /* where it stands in the script; "" if unknown */
	unsigned line;
	unsigned nvalues; /* of alert(): its values; of an aggregation: the key */
	const struct et_value *values;
	/* of an alert over an aggregation: */
	const char *condition;   /* "p99(@wait) > 50ms for 30s"; NULL for alert() */
	const char *aggregation; /* for alert() the one that is shown, see below; NULL if the script has none */
	int64_t value, limit;    /* in `unit` */
	const char *unit;        /* "ms"; "" if none */
	bool over;               /* it has ended */
	bool again;              /* it goes on; told about twice a second */
	/* When it begins: the keys with the largest (for < the least) values, as text, and of distributions the last
	 * minute of all keys: cells[second * nbuckets + bucket]. The bounds of buckets are inclusive. Of alert(), each
	 * time: of the script's first distribution, or else its first aggregation, the keys with the most values (of
	 * sum() the largest sums) in the last minute, up to a second old. */
	unsigned ntop, nseconds, nbuckets;
	const char *const *top;
	const uint64_t *cells;
	const int64_t *low, *high;
};
/* Called after its text was shown. d->probe is NULL for an alert over an aggregation. */
typedef enum et_handle et_alert_f(const struct et_probedata *d, const struct et_alertdata *a, void *arg);
int et_handle_alert(struct et *h, et_alert_f *fn, void *arg);

/* A clear() or trunc() of the program removes values of an aggregation. This is called before, for a last look at
 * them with et_aggregate_walk(), and again after. */
typedef void et_clear_f(void *arg);
int et_handle_clear(struct et *h, et_clear_f *fn, void *arg);

/* Text about what was left out while looking for probes or symbols, such as a file of another user's process that
 * costs too much to read. Without a handler nobody is told. All functions that look for probes or print addresses
 * may call it. */
typedef void et_note_f(const char *text, void *arg);
int et_handle_note(struct et *h, et_note_f *fn, void *arg);

/* -- aggregations
 * ------------------------------------------------------------------------------------------------------ */

enum et_aggfn {
	ET_AGG_COUNT,
	ET_AGG_SUM,
	ET_AGG_AVG,
	ET_AGG_MIN,
	ET_AGG_MAX,
	ET_AGG_STDDEV,
	ET_AGG_QUANTIZE,
	ET_AGG_LQUANTIZE,
	ET_AGG_LLQUANTIZE,
};

struct et_aggdata {
	struct et *h;
	const char *name; /* without @; "" for the anonymous one */
	unsigned id;      /* in order of first use in the programs, from 0 */
	enum et_aggfn fn;
	int64_t par[4]; /* lquantize: low, high, step; llquantize: factor, low, high, steps */
	unsigned nkeys;
	const struct et_value *keys;
	uint64_t count;    /* how often a value was added */
	int64_t value;     /* as shown: normalized; for distributions the sum of their counts */
	int64_t raw;       /* before normalize() */
	uint64_t normal;   /* the factor; 1 without normalize() */
	unsigned nbuckets; /* for distributions: see et_agg_bucket() */
	const void *priv;
};
/* "count", "quantize" …; "" for a number behind the last */
const char *et_agg_name(enum et_aggfn fn);
/* What kind of value it makes. */
enum et_aggkind {
	ET_AGGKIND_NUMBER, /* one number, such as avg() */
	ET_AGGKIND_TOTAL,  /* one number that grows by what is added, so that numbers of keys add up: count(), sum() */
	ET_AGGKIND_DISTRIBUTION, /* buckets */
};
enum et_aggkind et_agg_kind(enum et_aggfn fn);
/* Returns the count of bucket i of a distribution, and its bounds, both inclusive (INT64_MIN and INT64_MAX are open
 * ends). */
int64_t et_agg_bucket(const struct et_aggdata *a, unsigned i, int64_t *low, int64_t *high);

enum et_aggwalk {
	ET_AGGWALK_NEXT,
	ET_AGGWALK_ABORT,     /* the walk returns 0 */
	ET_AGGWALK_ERROR,     /* the walk returns -1 with ET_EABORT */
	ET_AGGWALK_CLEAR,     /* the value becomes empty, the key stays */
	ET_AGGWALK_REMOVE,    /* key and value are removed */
	ET_AGGWALK_NORMALIZE, /* shown values are divided by et_aggdata.normal as the callback left it */
	ET_AGGWALK_DENORMALIZE,
};
typedef enum et_aggwalk et_agg_f(struct et_aggdata *a, void *arg);

enum et_aggsort {
	ET_AGGSORT_NONE,   /* unsorted */
	ET_AGGSORT_OPTION, /* as the options aggsortkey, aggsortrev, aggsortpos, aggsortkeypos say */
	ET_AGGSORT_KEY,    /* by aggregation, then key */
	ET_AGGSORT_VAL,    /* by aggregation, then value, then key */
	ET_AGGSORT_KEYREV,
	ET_AGGSORT_VALREV,
	ET_AGGSORT_KEYVAR, /* by key, then aggregation */
	ET_AGGSORT_VALVAR,
	ET_AGGSORT_KEYVARREV,
	ET_AGGSORT_VALVARREV,
};

/* Adds what the engine has gathered since the last call. et_work() does it at aggrate and when tracing stops. */
int et_aggregate_snap(struct et *h);
int et_aggregate_walk(struct et *h, enum et_aggsort sort, et_agg_f *fn, void *arg);
/* Elements of several aggregations with equal keys at once: a[0 … n) in the order of names. Those without that key
 * have count 0. Sorted by the first one's value (or option aggsortpos). */
typedef enum et_aggwalk et_aggjoin_f(struct et_aggdata *a, unsigned n, void *arg);
int et_aggregate_walk_joined(struct et *h, const char *const *names, unsigned n, et_aggjoin_f *fn, void *arg);
/* Values become empty; keys stay. */
int et_aggregate_clear(struct et *h);
/* Prints all aggregations that printa() has not shown, as dtrace(1) does at the end: as text, or as JSON with option
 * json. fn, if not NULL, is asked first for each: ET_AGGWALK_NEXT shows it, ET_AGGWALK_ABORT ends, others leave it
 * out. The empty line that dtrace(1) prints before them is not part of it. */
int et_aggregate_print(struct et *h, FILE *fp, et_agg_f *fn, void *arg);

#ifdef __cplusplus
}
#endif

#endif
