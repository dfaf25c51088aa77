/*
 * The erltrace command: what its parts share.
 *
 * Everything goes through <erltrace.h>. One struct cli is the whole state of a run of the command. Only the signal
 * handlers (run.c) need it from outside.
 */
#ifndef ET_CLI_CLI_H
#define ET_CLI_CLI_H

#include "erltrace.h"

#include <stdbool.h>
#include <sys/types.h>

enum cli_exit { EXIT_OK = 0, EXIT_ERROR = 1, EXIT_USAGE = 2 };

enum { CLI_MOST_ARGS = 9 }; /* of a ready-made script */

enum cli_mode { MODE_RUN, MODE_LIST, MODE_VERSION, MODE_HELP, MODE_OBJECT, MODE_NODES, MODE_SCRIPTS };

/* One -n, -P, -m, -f, -i, -s, a D object, or a ready-made script. */
struct cli_prog {
	enum { PROG_TEXT, PROG_FILE, PROG_OBJECT, PROG_READY } kind;
	enum et_probespec spec;
	const char *arg;  /* the text, the path, or the name of a ready-made script */
	const char *text; /* PROG_READY: the script */
	const char *desc; /* "description", "script", "object": for messages */
	char *name;       /* its name in messages; heap */
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
	int pidfd;  /* -1 if there is none; then it is polled */
	int gate;   /* -c: the child runs when this is written to; -1 if it runs */
	int result; /* -c: errno of a failed exec comes here */
	bool gone;
	bool is_erlang; /* -c: a node, which runs already but waits until tracing is on */
	bool is_held;   /* it still waits */
	bool is_loaded; /* -c: its program is loaded and stopped before its first instruction, traced by us */
	int load_err;   /* -c: errno of an exec that failed while loading */
};

struct cli {
	const char *pname; /* "erltrace" */
	enum cli_mode mode;
	bool compile_only, disasm, verbose;
	const char *output;             /* "json" …: another one than text (base/outputs.h); or NULL */
	uint64_t last_for;              /* --for: ns; 0 for no limit */
	long count;                     /* --count: lines of calls of functions; 0 for no limit, -1 if not given */
	const char *script_dir;         /* --scripts or $ERLTRACE_SCRIPTS; or NULL */
	char *ready;                    /* text of a ready-made script that was read from a file; heap */
	char *processes[CLI_MOST_ARGS]; /* pids of the processes that were named to it; heap */
	bool is_top, top_aggs, heatmap; /* top, --top, --heatmap: see live.h */
	const char *by, *sort;          /* --by, --sort; or NULL */
	uint64_t interval;              /* --interval, ns; 0 if not given */
	struct live *live;
	bool not_gathered;   /* memory for a picture or a live view ran out */
	unsigned show;       /* enum et_show of the output */
	struct calls *calls; /* shop_db:store/2: the function whose calls are printed; or NULL */
	unsigned cflags;
	const char *node;      /* -N: the first */
	const char **nodes;    /* all of -N and --cluster */
	const char *cluster;   /* --cluster: a node that knows the others; or NULL */
	bool hidden;           /* --hidden: also hidden ones */
	const char *dist_opts; /* --dist-opts: how to reach nodes over TLS; or NULL */
	bool join;             /* --join: also those that come later */
	char **found;          /* those of --cluster; heap */
	unsigned nfound;
	bool out_of_nodes; /* memory for them ran out */
	bool too_many_nodes;
	unsigned nnodes;
	char *cookie;         /* --cookie or $ERLTRACE_COOKIE */
	char found_node[512]; /* the node of -c or -p, if it is one */
	bool where_known;     /* `where` was found out */
	enum et_where where;
	bool where_unsure; /* of a program that cannot be read twice */
	const char *ofile;
	struct picture *picture; /* -o FILE.svg: drawn at the end; NULL if the file is for text */
	bool made_ofile;         /* the picture's file was not there before */
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
	unsigned matched; /* probes matched by all programs */
	bool cut_short;   /* the overhead guard ended tracing */
	struct target_watch *watch;
	struct cli_alerts *alerts; /* --alert; or NULL */
	struct pairs *pairs;       /* a script with @pairs; or NULL */
};

/* pairs.c: a script whose records are the two ends of messages between nodes. */
bool cli_pairs_new(struct cli *c); /* false: no memory */
/* Checks, once the nodes are known, that there are several. Returns 0 or an exit status. */
int cli_pairs_check(struct cli *c);
/* et_rec_cb. */
enum et_consume cli_on_pair(const struct et_probedata *d, const struct et_recdata *rec, void *cli);
/* At the end: prints the latencies. Returns false if memory ran out. */
bool cli_pairs_show(struct cli *c);
void cli_pairs_free(struct cli *c);

/* alerts.c: --alert. Returns -1 or an exit status. */
int cli_alert_option(struct cli *c, char *value);
bool cli_alerts_open(struct cli *c);
/* Tells what is still to be told. */
void cli_alerts_close(struct cli *c);

/* words.c: takes the first word that is not an option: a D object, a ready-made script, or a function. Called before
 * anything is attached to. Returns 0 or an exit status. */
int cli_take_word(struct cli *c);
bool cli_is_object(FILE *fp);
/* Returns the dot that stands for the colon in shop_db.store/2, or NULL. */
const char *cli_wrong_dot(const char *word);
/* Converts "10s" to ns, with the units of D's tick-10s. A number alone is in seconds, as in sleep(1). */
bool cli_parse_time(const char *text, uint64_t *ns);

/* ready.c: the ready-made scripts. */
/* `erltrace scripts [NAME]`. */
int cli_list_scripts(struct cli *c);
/* Takes the word as a script, checks its arguments, and makes it a program. Returns -1 if there is no such script,
 * otherwise 0 or an exit status. */
int cli_take_script(struct cli *c, const char *word);
/* Puts the pids of processes in the place of the names that were given to a script. Called before it is compiled.
 * Returns 0 or an exit status. */
int cli_find_processes(struct cli *c);
void cli_free_processes(struct cli *c);
/* Writes what the script's description says that it costs, "costs more than 5 %". Returns false if it says nothing. */
bool cli_script_costs(const char *text, char *what, size_t size);
/* Returns the name of the script that is nearest to the word, or NULL. */
const char *cli_near_script(const char *word);

/* calls.c: shop_db:store/2 /predicate/, whose calls are printed. */
/* Returns -1 if the word is not of this form, otherwise 0 or an exit status. */
int cli_take_calls(struct cli *c, const char *word);
/* Returns whether a word is a function and a predicate whose slashes are missing: shop_db:store/2 args[0] == 1. Sets
 * the length of the function's name, and where the predicate begins. */
bool cli_calls_without_slashes(const char *word, int *name, const char **predicate);
/* Makes the program once it is known which functions exist. Returns 0 or an exit status. */
int cli_make_calls(struct cli *c);
/* et_rec_cb: decides whether to show a line. Tracing ends when enough lines were shown. */
enum et_consume cli_on_call(const struct et_probedata *d, const struct et_recdata *rec, void *cli);
/* A predicate failed for a call. Says so once; cli_say_uncalled() tells how often. Returns false for other errors. */
bool cli_on_call_error(struct cli *c, const struct et_errdata *e);
/* At the end: says if there was no call, or none of which the predicate was true. */
void cli_say_uncalled(struct cli *c, bool fired);
/* At the end: says if there would have been more. */
void cli_end_calls(const struct cli *c);
void cli_free_calls(struct cli *c);

/* notes.c: on standard error, also in quiet mode. */
/* Before tracing: warns if very many functions are meant, and what that costs. */
void cli_say_reach(struct cli *c);
/* After tracing: names probes that never fired. */
void cli_say_unfired(struct cli *c);

/* live.c: views that are redrawn every interval. */
/* The word `top` becomes a program. Returns -1 if it is another word, otherwise 0 or an exit status. */
int cli_take_top(struct cli *c);
/* Checks that the options fit together. Returns 0 or an exit status. */
int cli_live_check(struct cli *c);
/* Before tracing: opens the screen. Returns 0 or an exit status. */
int cli_live_open(struct cli *c);
/* Where the script prints: nowhere, if a view is shown instead. */
FILE *cli_live_out(const struct cli *c);
/* Where messages go while a terminal is drawn on; NULL for standard error. */
FILE *cli_live_err(const struct cli *c);
/* Like et_sleep(), and draws what is due. Returns false if memory ran out or the library failed. */
bool cli_live_wait(struct cli *c);
/* Called around et_work(): takes what has come. Returns false like cli_live_wait(). */
bool cli_live_take(struct cli *c, bool snap);
/* Leaves the screen. With ok it shows everything once more. Returns an exit status. */
int cli_live_end(struct cli *c, bool ok);
void cli_live_close(struct cli *c);

/* cluster.c: several nodes. */
/* Adds those of --cluster. Refuses what is for one node only. Returns 0 or an exit status. */
int cli_find_nodes(struct cli *c);
void cli_free_nodes(struct cli *c);

/* nodes.c: -N without a name. */
int cli_list_nodes(struct cli *c);
/* Writes their names, joined by ", "; "" if there are none. */
void cli_node_names(char *text, size_t size);

/* options.c: fills in c from the command line. Returns an exit status if the command ends here, otherwise -1. */
int cli_parse(struct cli *c, int argc, char **argv);
/* Sets environment and command-line options on the handle. */
int cli_apply_options(struct cli *c);
void cli_add_opt(struct cli *c, const char *flag, const char *name, const char *value, char *heap);
/* Returns whether the command line sets it. */
bool cli_has_opt(const struct cli *c, const char *name);

/* help.c */
void cli_usage(const struct cli *c, FILE *fp);

/* programs.c: these return 0 or an exit status. */
int cli_compile(struct cli *c);
int cli_enable(struct cli *c);
int cli_list(struct cli *c);
int cli_save(struct cli *c);

/* target.c: processes of -c and -p. Returns 0 or an exit status. */
int cli_targets_open(struct cli *c);
/* Puts another process in the place of a target of -p; $target too. */
int cli_target_is(struct cli *c, struct cli_target *t, pid_t pid);
/* Lets the commands run, and wakes the handle when a process ends. */
int cli_targets_go(struct cli *c);
/* Reports which ones have ended. Returns whether all have. */
bool cli_targets_gone(struct cli *c);
void cli_targets_close(struct cli *c);

/* erlnode.c: processes of -c and -p that are Erlang nodes. */
/* Returns whether a command starts a node. */
bool cli_is_erlang(const char *command);
/* Returns whether nothing is to be attached to: because of -x engine=kernel, or because all probes are the kernel's. */
bool cli_stays_in_kernel(struct cli *c);
/* Called in the child before it becomes the command: makes it attachable. */
void cli_erlang_environment(char *const *argv);
/* Attaches to the node of the first process, if it is a node and no -N was given; or, if it is not, to the one below
 * it. Returns 0 or an exit status. */
int cli_attach_target(struct cli *c);

/* run.c */
int cli_run(struct cli *c);
/* Attaches the handle to the nodes of -N, or that of -c or -p. */
int cli_connect(const struct cli *c, struct et *h);
/* The same with the command's own handle; a signal can end it. */
int cli_attach(struct cli *c);

/* drawing.c: -o FILE.svg. */
/* Returns whether the output is to be a picture. */
bool cli_wants_picture(const struct cli *c);
/* Before tracing: checks that the file can be written. Returns 0 or an exit status. */
int cli_picture_open(struct cli *c);
/* Called around et_work(): takes what has come. Returns false if memory ran out or the library failed. */
bool cli_picture_take(struct cli *c, bool snap);
/* Writes the picture. Returns 0 or an exit status. */
int cli_picture_write(struct cli *c);
void cli_picture_close(struct cli *c);

/* main.c: prints "erltrace: …" on standard error. */
void cli_error(const struct cli *c, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* The same with the library's message. If fmt is NULL only that is printed. */
void cli_lib_error(const struct cli *c, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Prints text that may contain foreign names: tamed (base/tame.h) if it goes to a terminal. */
void cli_put(const struct cli *c, FILE *fp, const char *text, size_t len);
/* Prints unless in quiet mode. */
void cli_notice(const struct cli *c, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Returns whether nobody reads our output any more. */
bool cli_output_gone(const struct cli *c);

#endif
