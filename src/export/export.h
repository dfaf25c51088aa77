/*
 * `erltrace export`: a service that runs D scripts on Erlang nodes for months and offers what they aggregate as metrics
 * at /metrics. docs/metrics.md describes it.
 *
 *   main.c     options, signals, the life of the command
 *   conf.c     the configuration file
 *   scan.c     the lines of a script that name its metrics (@metric), and the aggregations in its code
 *   names.c    which names metrics and labels may have
 *   values.c   the values of one script's metrics
 *   estimate.c what a script would have counted while it rested
 *   job.c      one script on one node: a handle and a thread, again and again
 *   text.c     the values as text: Prometheus 0.0.4 and OpenMetrics 1.0
 *   proto.c    the values as protobuf, with native histograms
 *   pb.c       the bytes of protobuf
 *   otlp.c     the values as OTLP, pushed to a receiver
 *   service.c  all scripts and jobs, and reloading
 *   self.c     what the service says about itself
 *   endpoint.c HTTP
 *
 * A job takes the elements of aggregations out of its handle and adds them to its script's store. So a store only
 * grows, whatever happens to nodes and handles. Nothing waits for a scraper, and a scraper waits for no node.
 *
 * Threads: each job has its own. It shares with others only the script's store and its own numbers, both under the
 * script's lock. Everything else belongs to the service thread.
 */
#ifndef ET_EXPORT_EXPORT_H
#define ET_EXPORT_EXPORT_H

#include "alert/alert.h"
#include "base/sbuf.h"
#include "base/why.h"
#include "erltrace.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum {
	EXP_NODES = 256,
	EXP_SCRIPTS = 64,
	EXP_JOBS = 512,        /* a job is a script on a node */
	EXP_LABELS = 16,       /* of a metric */
	EXP_LABEL_BYTES = 256, /* of a label's value; longer ones are cut */
	EXP_ROWS = 1000,       /* of a metric for one node, unless the configuration says otherwise */
	EXP_ROWS_MOST = 1000000,
	EXP_SCRIPT = 1 << 20, /* bytes of a script */
	EXP_CONF = 1 << 20,   /* bytes of a configuration */
	EXP_BODIES = 16,      /* answers that scrapers are still reading */
	EXP_CONNECTIONS = 64,
	EXP_SLOW_S = 30,     /* how long a scraper may take for an answer */
	EXP_RETRY_MS = 1000, /* before a node is tried again; doubles up to EXP_RETRY_MOST_MS */
	EXP_RETRY_MOST_MS = 15000,
	EXP_THREAD_MS = 5000,  /* before a job for which there was no thread is tried again */
	EXP_GUARD_MS = 300000, /* before a script that cost the node too much is tried again */
	/* Of a script with a share. It begins with what it may take in EXP_SAVED_S seconds, and saves ten times that at
	 * most. What the guard measures is taken four times, because it does not see what cold caches cost. */
	EXP_SAVED_S = 10,
	EXP_MARGIN = 4,
	EXP_REST_MOST_MS = 24 * 3600 * 1000, /* at once */
	EXP_START_NS = 25000000,             /* what one start and end costs a node, which the guard does not see */
	EXP_LOOK_MS = 1000,                  /* how often its cost is looked at, at least */
	EXP_SAMPLE_MS = 700, /* how long a run is at least; the first look is about EXP_LOOK_MS behind its start */
	EXP_TELL_MS = 2000,  /* for alerts that are still to be told at the end */
	EXP_PUSH_MS = 5000,  /* for one push of metrics; EXP_TELL_MS at the end */
	EXP_END_MS = 15000,  /* after a signal to end: what still runs then is left to the nodes to end */
};

struct service;

/* -- scan.c: what a script says about its metrics -- */

enum metric_type { METRIC_COUNTER, METRIC_GAUGE, METRIC_HISTOGRAM };

struct metric {
	char *agg;  /* the aggregation, without @ */
	char *name; /* without _total */
	char *labels[EXP_LABELS];
	unsigned nlabels;
	char *unit;        /* "seconds", "bytes" …, or NULL */
	unsigned decimals; /* a value is this many places behind the decimal point: 9 for ns */
	char *sum;         /* the aggregation that has the sum of a histogram's values, or NULL */
	bool has_range;    /* which buckets are shown */
	int64_t low, high;
	enum metric_type type;
	enum et_aggfn fn;
	char *help;
};

struct metrics {
	struct metric *at;
	unsigned n;
	uint64_t share; /* ns of a scheduler in a second that the script may take; 0: any */
};

/* Reads the @metric and @share lines of a script, or derives metrics from its aggregations if there are none. `name`
 * is that of the script: errors begin with it, and derived names contain it. */
bool scan_metrics(struct metrics *m, const char *name, const char *text, struct why *why);
/* Reads percent of a scheduler, such as 1 or 0.5. */
bool scan_share(const char *text, uint64_t *ns);
/* Whether it says when to alert. */
bool scan_alerts(const char *text);
void metrics_free(struct metrics *m);
const char *metric_type_name(enum metric_type t);

/* -- names.c */
bool name_is_metric(const char *s);
bool name_is_label(const char *s);
/* Makes a valid part of a name of any text, on the heap. */
char *name_made_of(const char *s);

/* -- conf.c -- */

struct conf_option {
	char *name, *value; /* value NULL: none was given */
};

struct conf_script {
	char *name, *text;
	char **argv; /* argv[0] is the name */
	unsigned argc;
	struct conf_option *opts;
	unsigned nopts;
	char **nodes; /* its own, or copies of those for all */
	unsigned nnodes;
	bool own_nodes;
	struct metrics metrics;
};

struct conf {
	char *listen; /* address */
	int port;
	bool insecure;
	char *cert, *key; /* TLS, or NULL */
	char *cookie;     /* or NULL for ~/.erlang.cookie */
	char *dist_opts;  /* how nodes are reached over TLS, or NULL */
	int64_t interval; /* ns */
	unsigned rows;
	struct alerts_conf alerts;
	char *otlp;            /* a URL, or NULL */
	int64_t otlp_interval; /* ns */
	char **nodes;
	unsigned nnodes;
	struct conf_script *scripts;
	unsigned nscripts;
};

/* Reads and checks all of it, the scripts too. cookie is used if the file names none; may be NULL. */
struct conf *conf_read(const char *path, const char *cookie, struct why *why);
void conf_free(struct conf *c);
/* Prints the metrics that it makes. */
void conf_show(const struct conf *c, FILE *fp);

/* -- values.c -- */

struct row {
	uint64_t hash;
	char *labels;        /* as written between braces: node="a",key="b" */
	unsigned node;       /* number of the job's node in its script */
	bool is_other;       /* the row of everything that had no room */
	bool interval;       /* a gauge that the script clears: the value is that of the last interval */
	bool has_last;       /* during a clear(): last is set */
	int64_t value, last; /* of a gauge */
	uint64_t count, sum;
	uint64_t *buckets;
	struct guess *guesses; /* estimate.c; NULL: none */
	unsigned nguesses;
	struct row *next_guessed; /* of the same node */
};

struct family {
	const struct metric *m;
	struct row **rows;
	size_t n, cap;
	uint32_t *slots; /* index of the row plus one; 0 if free */
	size_t nslots;
	unsigned nbuckets;
	int64_t *edges;    /* upper ends of the buckets, inclusive */
	bool any;          /* from and to are set */
	unsigned from, to; /* buckets that are shown */
};

/* What happened on one node. */
struct export_place {
	char *node;        /* NULL: no node */
	bool used;         /* by a job that is not ending */
	unsigned *rows;    /* of each family */
	unsigned attached; /* jobs; two if one is being replaced */
	uint64_t attaches, failures, values, estimated, records, errors, spent_ns, ran_ns, left_out;
	uint64_t drops[ET_DROP_NODE + 1];
	bool noting;         /* what is taken is noted for an estimate */
	struct row *guessed; /* rows with something noted or estimated */
};

/* A script of the configuration with its values. Kept across reloads if nothing about it changed. */
struct export_script {
	atomic_uint refs;
	char *name;
	char *text;
	char **argv;
	unsigned argc;
	struct conf_option *opts;
	unsigned nopts;
	struct metrics metrics;
	pthread_mutex_t lock; /* for all that follows */
	struct family *fams;  /* one for each metric */
	struct export_place **places;
	unsigned nplaces;
	unsigned rows; /* the most of a family on one node */
};

/* Takes what it needs out of the configuration's script, which is empty afterwards. */
struct export_script *script_new(struct conf_script *c, unsigned rows);
struct export_script *script_keep(struct export_script *s);
void script_drop(struct export_script *s);
bool script_is_same(const struct export_script *s, const struct conf_script *c);
/* Returns the number of a node's place, which may be there from before; -1 if memory ran out. Locks. */
int script_place(struct export_script *s, const char *node);
/* Forgets a node's rows and numbers. Locks. */
void script_forget(struct export_script *s, unsigned place);
/* Takes everything out of the handle's aggregations. is_clear: the script is about to clear() or trunc() some. */
void values_take(struct export_script *s, unsigned place, struct et *h, bool is_clear);
/* After a clear(): gauges that are empty now keep what they had. */
void values_cleared(struct export_script *s, unsigned place, struct et *h);
/* The handle is gone, and with it what gauges showed. */
void values_gone(struct export_script *s, unsigned place);

/* -- estimate.c -- */

/* Whether what is taken from now on is noted; on: what was noted before is forgotten. Locks, as the next two do. */
void values_note(struct export_script *s, unsigned place, bool on);
/* What was noted happened so many times more often, and was not seen. It is to be given. */
void values_estimate(struct export_script *s, unsigned place, double times);
/* Adds that part of what is to be given; 1: all. The part grows from call to call until the next estimate. */
void values_give(struct export_script *s, unsigned place, double part);
/* Called where a number is added to a row. The script is locked. */
void estimate_bucket(struct export_place *p, const struct family *f, struct row *r, unsigned i, uint64_t n);
void estimate_count(struct export_place *p, const struct family *f, struct row *r, int64_t n);
void estimate_sum(struct export_place *p, const struct family *f, struct row *r, int64_t n);

/* -- text.c -- */

/* Adds name="value" with what must be escaped, valid UTF-8, at most EXP_LABEL_BYTES of the value. */
void text_label(struct sbuf *b, const char *name, const char *value);
/* Adds a number that is `decimals` places behind the decimal point, exactly. */
void text_number(struct sbuf *b, int64_t v, unsigned decimals);
/* The lines before the samples of a metric. */
void text_head(struct sbuf *b, const char *name, enum metric_type type, const char *unit, const char *help, bool open);
/* One metric. The script is locked. */
void text_family(struct sbuf *b, const struct family *f, bool open);
/* All of a script's metrics. open: OpenMetrics. Locks. */
void text_script(struct sbuf *b, struct export_script *s, bool open);

/* -- proto.c -- */

/* The same as protobuf, with native histograms. */
void proto_script(struct sbuf *b, struct export_script *s);
/* Counters and gauges that are in the text format (not OpenMetrics). */
void proto_of_text(struct sbuf *b, const char *text);
/* Calls put for each label of a row, which has them as they are written between braces. It frees the value. Returns
 * where they end. */
const char *proto_labels(
    struct sbuf *b, const char *s, void (*put)(struct sbuf *b, const char *name, size_t len, struct sbuf *value));

/* -- otlp.c -- */

struct otlp;
struct otlp_numbers {
	uint64_t sent, failed, skipped; /* skipped: the one before was still under way */
};
/* Starts the thread that pushes. Returns NULL if that failed; errno says why. */
struct otlp *otlp_open(const char *url, int64_t interval);
/* Pushes a last time and waits for it, but not long. */
void otlp_close(struct otlp *o, struct service *s);
/* Called now and then, in the service's thread: pushes if it is time. */
void otlp_tick(struct otlp *o, struct service *s);
void otlp_count(struct otlp *o, struct otlp_numbers *n);
/* The values of all scripts: an ExportMetricsServiceRequest. */
void otlp_request(struct sbuf *b, struct service *s, uint64_t now);

/* -- job.c -- */

/* One helper for nodes with TLS, of all jobs. */
struct export_helper {
	pthread_mutex_t lock;
	struct et *keeper; /* NULL: none is wanted */
};

struct export_job {
	struct export_script *script;
	unsigned place;
	char *node; /* or NULL */
	char *cookie;
	int64_t interval;
	struct alerts *alerts;
	struct export_helper *helper;
	pthread_t thread;
	pthread_mutex_t lock; /* for h */
	struct et *h;         /* NULL: none is open */
	atomic_bool stop, over;
	/* of the thread alone */
	bool guarded;                /* the overhead guard ended it */
	bool resting;                /* it took more than its share */
	bool attached;               /* as its place counts it: also while it rests */
	bool noting;                 /* the first second of a run after a rest is not over */
	char *said;                  /* the last message, which is not repeated */
	uint64_t spent;              /* of this handle, that was counted */
	uint64_t looked;             /* ns: when that was */
	int64_t owes;                /* ns that it took more than its share; negative: less */
	uint64_t began;              /* ns: when this run began */
	uint64_t ended;              /* ns: when the last one ended, if it rests since; otherwise 0 */
	uint64_t rested;             /* ns: how long it had rested before this run, as far as not estimated yet */
	uint64_t give_from, give_ns; /* since when, and how long, the estimate is given */
	uint64_t gave;               /* ns: when some of it was given for the last time */
};

/* Starts the thread. Returns NULL if that failed; errno says why. */
struct export_job *job_start(struct export_script *s, unsigned place, const char *node, const struct conf *c,
    struct alerts *alerts, struct export_helper *helper);
void job_stop(struct export_job *j); /* it ends soon */
void job_free(struct export_job *j); /* waits for its end */
/* One line about something, on standard error. */
__attribute__((format(printf, 1, 2))) void export_say(const char *fmt, ...);

/* -- service.c -- */

enum format { FORMAT_TEXT, FORMAT_OPEN, FORMAT_PROTO, NFORMATS };

struct service {
	struct conf *conf;
	const char *path, *cookie;
	struct alerts *alerts;
	struct export_helper helper;
	struct otlp *otlp; /* or NULL */
	struct export_script *scripts[EXP_SCRIPTS];
	unsigned nscripts;
	struct export_job *jobs[EXP_JOBS];
	unsigned njobs;
	unsigned missing;           /* jobs that could not be started */
	uint64_t again;             /* ms: when they are tried again */
	char *said;                 /* about them, for the last time; or NULL */
	struct export_job **ending; /* stopped, not yet over */
	unsigned nending, ending_cap;
	uint64_t scrapes[NFORMATS], refused, cut, reloads[2]; /* by format; by failed and done */
	uint64_t started;                                     /* s since 1970 */
};

/* Takes over the configuration. */
bool service_start(struct service *s, struct conf *c, struct why *why);
/* Reads the configuration again. If it is not valid, nothing changes. */
void service_reload(struct service *s);
/* Called now and then. */
void service_tick(struct service *s);
void service_stop(struct service *s);
/* Everything, in a format. */
void service_answer(struct service *s, struct sbuf *b, enum format format);

/* -- self.c */
void self_text(struct service *s, struct sbuf *b, bool open);

/* -- endpoint.c -- */

struct endpoint;
struct endpoint *endpoint_open(struct service *s, struct why *why);
/* Serves until *stop; *reload asks for the configuration to be read again. */
void endpoint_serve(struct endpoint *v, const volatile int *stop, volatile int *reload);
void endpoint_close(struct endpoint *v);

#endif
