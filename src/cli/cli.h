/*
 * The erltrace command: what its parts share.
 *
 * Everything goes through <erltrace.h>. One struct cli is the whole state of a
 * run of the command; only the signal handlers (run.c) need it from outside.
 */
#ifndef ET_CLI_CLI_H
#define ET_CLI_CLI_H

#include "erltrace.h"

#include <stdbool.h>
#include <sys/types.h>

enum cli_exit { EXIT_OK = 0, EXIT_ERROR = 1, EXIT_USAGE = 2 };

enum cli_mode { MODE_RUN, MODE_LIST, MODE_VERSION, MODE_HELP, MODE_OBJECT, MODE_NODES, MODE_SCRIPTS };

/* One -n, -P, -m, -f, -i, -s, a D object, or a ready-made script. */
struct cli_prog {
	enum { PROG_TEXT, PROG_FILE, PROG_OBJECT, PROG_READY } kind;
	enum et_probespec spec;
	const char *arg;  /* the text, the path, or the name of a ready-made script */
	const char *text; /* PROG_READY: the script */
	const char *desc; /* "description", "script", "object": for messages */
	char *name;       /* what it is called in messages; heap */
	struct et_prog *prog;
};

/* An option to set on the handle. */
struct cli_opt {
	const char *flag; /* "-b", "-x", …: for messages */
	const char *name, *value;
	char *heap; /* what name and value point into, or NULL */
};

struct cli_target {
	const char *arg; /* of -c or -p */
	bool is_command;
	pid_t pid;
	int pidfd;  /* -1: not to be had; look now and then */
	int gate;   /* -c: the child runs when this is written to; -1: it runs */
	int result; /* -c: errno of a failed exec comes here */
	bool gone;
	bool is_erlang; /* -c: a node, which runs already but waits for tracing to be on */
	bool is_held;   /* it still waits */
	bool is_loaded; /* -c: its program is there, stopped before its first instruction, traced by us */
	int load_err;   /* -c: errno of an exec that failed when it was to be loaded */
};

struct cli {
	const char *pname; /* "erltrace" */
	enum cli_mode mode;
	bool compile_only, disasm, verbose, json;
	uint64_t last_for;              /* --for: ns; 0: no end */
	long count;                     /* --count: lines of the calls of functions; 0: no end, -1: not given */
	const char *script_dir;         /* --scripts or $ERLTRACE_SCRIPTS; NULL: not given */
	char *ready;                    /* text of a ready-made script that was read from a file; heap */
	bool is_top, top_aggs, heatmap; /* top, --top, --heatmap: see live.h */
	const char *by, *sort;          /* --by, --sort; NULL: not given */
	uint64_t interval;              /* --interval, ns; 0: not given */
	struct live *live;
	bool not_gathered;   /* what a picture or a live view needs could not be kept */
	unsigned show;       /* enum et_show of the output */
	struct calls *calls; /* shop_db:store/2: whose calls are to be printed; NULL: no such word was given */
	unsigned cflags;
	const char *node;                        /* -N */
	char *cookie;                            /* --cookie or $ERLTRACE_COOKIE */
	char found_node[512], found_cookie[256]; /* of the process of -c or -p, when it is a node */
	const char *ofile;
	struct picture *picture; /* -o FILE.svg: drawn at the end; NULL: the file is for text */
	FILE *out;
	struct cli_prog *progs;
	struct cli_opt *opts;
	struct cli_target *targets;
	unsigned nprogs, nopts, ntargets;
	const char **args; /* args[0] is $0 */
	int nargs;
	struct et *h;
	bool quiet;
	int status;
	unsigned matched; /* probes, by all programs */
	bool cut_short;   /* tracing was ended by the guard of its cost */
	struct watch *watch;
};

/* words.c: what the first word that is no option stands for: a D object, a ready-made script, a function. Before
 * anything is attached to. 0, or an exit status. */
int cli_take_word(struct cli *c);
bool cli_is_object(FILE *fp);
/* "10s" in ns, with the units of D's tick-10s; a number alone is in seconds, as sleep(1) takes it. */
bool cli_parse_time(const char *text, uint64_t *ns);

/* ready.c: the ready-made scripts. */
/* `erltrace scripts [NAME]`. */
int cli_list_scripts(struct cli *c);
/* The word as a script with its arguments checked: becomes a program. -1: there is no such script; 0, or an exit
 * status. */
int cli_take_script(struct cli *c, const char *word);
/* The script whose name is nearest to the word, or NULL. */
const char *cli_near_script(const char *word);

/* calls.c: shop_db:store/2 /predicate/, whose calls are printed. */
/* -1: the word is not of this form; 0, or an exit status. */
int cli_take_calls(struct cli *c, const char *word);
/* Once it is known what functions there are: the program. 0, or an exit status. */
int cli_make_calls(struct cli *c);
/* et_rec_cb: whether to show a line; when as many were shown as are wanted, tracing ends. */
enum et_consume cli_on_call(const struct et_probedata *d, const struct et_recdata *rec, void *cli);
/* At the end: says that there would have been more. */
void cli_end_calls(const struct cli *c);
void cli_free_calls(struct cli *c);

/* notes.c: on standard error, also in quiet mode. */
/* Before tracing: that very many functions are meant, and what that costs. */
void cli_say_reach(struct cli *c);
/* After it: probes that have never fired. */
void cli_say_unfired(struct cli *c);

/* live.c: views that are drawn anew every interval. */
/* The word `top` becomes a program. -1: it is another word; 0, or an exit status. */
int cli_take_top(struct cli *c);
/* Whether their options make sense together. 0, or an exit status. */
int cli_live_check(struct cli *c);
/* Before tracing: the screen. 0, or an exit status. */
int cli_live_open(struct cli *c);
/* Where the script prints: a view stands in the place of that. */
FILE *cli_live_out(const struct cli *c);
/* Where messages go while a terminal is drawn on; NULL: to standard error. */
FILE *cli_live_err(const struct cli *c);
/* As et_sleep(), and draws what is due. False: out of memory, or the library's error. */
bool cli_live_wait(struct cli *c);
/* Around et_work(): what has come. False: the same. */
bool cli_live_take(struct cli *c, bool snap);
/* Leaves the screen; ok: shows the whole. An exit status. */
int cli_live_end(struct cli *c, bool ok);
void cli_live_close(struct cli *c);

/* nodes.c: -N without a name. */
int cli_list_nodes(struct cli *c);
/* Their names, joined by ", "; "" when there are none. */
void cli_node_names(char *text, size_t size);

/* options.c: fills in c from the command line; an exit status when the command ends here, else -1. */
int cli_parse(struct cli *c, int argc, char **argv);
/* Sets environment and command-line options on the handle. */
int cli_apply_options(struct cli *c);
void cli_add_opt(struct cli *c, const char *flag, const char *name, const char *value, char *heap);
/* Whether the command line sets it. */
bool cli_has_opt(const struct cli *c, const char *name);

/* help.c */
void cli_usage(const struct cli *c, FILE *fp);

/* programs.c: 0, or an exit status. */
int cli_compile(struct cli *c);
int cli_enable(struct cli *c);
int cli_list(struct cli *c);
int cli_save(struct cli *c);

/* target.c: processes of -c and -p. 0, or an exit status. */
int cli_targets_open(struct cli *c);
/* Runs a command that waits up to its program's entry, with all libraries in place: et_target_f. */
void cli_target_load(void *arg, int64_t pid);
/* Lets the commands run, and wakes the handle when a process has ended. */
int cli_targets_go(struct cli *c);
/* Says which ones have ended; whether all have. */
bool cli_targets_gone(struct cli *c);
void cli_targets_close(struct cli *c);

/* erlnode.c: processes of -c and -p that are Erlang nodes. */
/* Whether a command starts one. */
bool cli_is_erlang(const char *command);
/* Whether nothing is to be attached to: by -x engine=kernel, or because probes are the kernel's and none is of Erlang.
 */
bool cli_stays_in_kernel(struct cli *c);
/* In the child, before it becomes the command: sees to it that it can be attached to. */
void cli_erlang_environment(char *const *argv);
/* Attaches to the node of the first process, when it is one and no -N was given. 0, or an exit status. */
int cli_attach_target(struct cli *c);

/* run.c */
int cli_run(struct cli *c);
/* et_attach(), which a signal ends. */
int cli_attach(struct cli *c, const char *node, const char *cookie);

/* drawing.c: -o FILE.svg. */
/* Whether the output is to be a picture. */
bool cli_wants_picture(const struct cli *c);
/* Before tracing: sees that the file can be written. 0, or an exit status. */
int cli_picture_open(struct cli *c);
/* Around et_work(): what has come. False: out of memory, or the library's error. */
bool cli_picture_take(struct cli *c, bool snap);
/* Writes it. 0, or an exit status. */
int cli_picture_write(struct cli *c);
void cli_picture_close(struct cli *c);

/* main.c: "erltrace: …" on standard error. */
void cli_error(const struct cli *c, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* The same with what the library says; fmt NULL: only that. */
void cli_lib_error(const struct cli *c, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Text that may have names of others in it: tamed (base/tame.h) where it goes to a terminal. */
void cli_put(const struct cli *c, FILE *fp, const char *text, size_t len);
/* Not in quiet mode. */
void cli_notice(const struct cli *c, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Whether nobody reads our output any more. */
bool cli_output_gone(const struct cli *c);
/* Flushes the output; an exit status when it could not be written, and a message when `say`. */
int cli_finish_output(struct cli *c, bool say);

#endif
