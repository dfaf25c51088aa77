/*
 * The consumer: takes records and aggregations out of an engine and shows them. There is one for each run of a handle;
 * only the handle's thread uses it.
 *
 * Text is gathered in `out` and given to the stream (or the buffered handler) in whole records. Functions return 0, or
 * -1 with err and why set.
 */
#ifndef ET_CONSUME_CONSUME_H
#define ET_CONSUME_CONSUME_H

#include "base/opts.h"
#include "consume/aggset.h"
#include "consume/watch.h"
#include "show/pids.h"
#include "engine/engine.h"
#include "object/node_event.h"

#include <stdatomic.h>

/* What the user of the handle registered; belongs to the handle. */
struct cs_handlers {
	et_err_f *err;
	void *errarg;
	et_drop_f *drop;
	void *droparg;
	et_memory_f *memory;
	void *memoryarg;
	et_setopt_f *setopt;
	void *setoptarg;
	et_buffered_f *buffered;
	void *bufferedarg;
	et_alert_f *alert;
	void *alertarg;
	et_clear_f *clear;
	void *cleararg;
	et_symbol_f *sym;
	void *symarg;
	/* What sym(), mod() … are keyed by: one address for all of a symbol or module. NULL means each address by
	 * itself. Called with symarg. */
	uint64_t (*symstart)(void *arg, int64_t pid, uint64_t addr, bool module);
	unsigned show; /* enum et_show */
};

/* What the caller of et_work() wants. */
struct cs_to {
	FILE *fp; /* NULL for the buffered handler */
	et_probe_cb *pcb;
	et_rec_cb *rcb;
	void *arg;
};

/* Records between the engine and the presenter. */
struct cs_rec {
	struct eng_rec r; /* its data pointer is not valid here; use off */
	size_t off;       /* of the data in the store */
	uint64_t order;   /* ns; never less than that of the previous one in the same shard */
	size_t seq;       /* order of arrival */
	unsigned source;  /* engine_sources */
};
struct cs_store {
	struct cs_rec *recs;
	size_t n, cap;
	char *bytes;
	size_t len, room;
	unsigned shard; /* of the last record added */
	bool failed;    /* memory ran out */
};

/* Whose record it is: its process, or else its thread, or else the source's. All bytes count. */
struct cs_whose {
	uint32_t source, tid;
	char process[NODE_EPROC]; /* "" if none; with a NUL */
};
/* Who is inside some function: what the indentation of his next record depends on. */
struct cs_flow {
	struct cs_whose whose;
	unsigned depth; /* functions */
	uint32_t last_epid;
	unsigned hash, next;   /* … in its chain; of free rows too */
	unsigned newer, older; /* by last use */
};
/* Processes end inside functions, so if there are too many, the one that was silent for the longest time is forgotten.
 * Row 0 stands for "none". */
#ifdef ET_TINY
enum { CS_FLOWS = 16 };
#else
enum { CS_FLOWS = 1 << 16 };
#endif
struct cs_flows {
	struct cs_flow *all; /* CS_FLOWS + 1; NULL before the first */
	unsigned *chains;    /* CS_FLOWS */
	unsigned n, free;    /* rows that were ever used; the first free one of those */
	unsigned newest, oldest;
};

/* Values of a later cut: see ENG_CUT_OF. */
struct cs_held {
	unsigned source;
	uint16_t cut;
	struct aggset aggs;
};

/* What the time before an alert looked like. */
struct cs_before {
	uint64_t at; /* ns: when it was made; 0: never */
	char *top[WATCH_TOP];
	unsigned ntop, nseconds, nbuckets;
	uint64_t *cells;
	int64_t *low, *high;
};

struct consumer {
	struct et *h;
	const struct dobj *o;
	struct engine *e;
	const struct engine_ops *ops;
	struct opts *opts;
	const struct cs_handlers *on;
	const struct et_probe *probes; /* by the engine's index */
	unsigned nprobes;
	unsigned nshards;               /* of the engine */
	const atomic_bool *interrupted; /* tracing must end; NULL if nobody can say so */

	struct aggset aggs;
	struct agg_watch watch;  /* alerts over them */
	struct cs_before before; /* of the newest alert() */
	/* For each source: values up to this cut are in aggs; those of later cuts are held until their records are
	 * done. */
	uint16_t *cuts;
	uint16_t *last_cuts; /* for each source: in a turn, the cut of its last record about aggregations */
	struct cs_held *held;
	unsigned nheld;
	struct cs_store store, later; /* `later` came too late for this turn's order */
	struct sbuf out;
	struct sbuf acttext; /* of one action, for callbacks */
	struct val *vals;    /* of one action: room for those of any */
	struct et_value *pubvals;
	FILE *redirect; /* freopen(): instead of the caller's stream */
	bool redirect_is_terminal;
	uint64_t *seen; /* drops as last reported: ENG_NDROPS for each shard or source */
	unsigned nseen;
	bool told_notes, told_ended;
	uint64_t told_memory; /* values for which there was no memory, as last reported */
	uint64_t told_watch;  /* values of keys that alerts have no room for, as last reported */
	struct pids *pids;    /* for each source: a pid means a process of its node */
	bool names_fields;    /* some field of a record is shown by its name */

	bool headed; /* the header line was shown */
	struct cs_flows flows;
	bool tells_process;   /* flow indentation has a column for processes */
	unsigned nsources;    /* 1, or that of engine_sources */
	unsigned nodewidth;   /* columns of the longest name of a node */
	bool in_line;         /* the last byte that was written is not the end of a line … */
	unsigned line_source; /* … and who has written it */
	uint32_t histhdr;     /* aggregation whose agghist or aggpack header was shown last, or DOBJ_NONE */

	enum et_error err;
	struct why why;
};

/* All pointers must outlive the consumer. Returns false if there is no memory. */
bool cs_init(struct consumer *c, struct et *h, const struct dobj *o, struct opts *opts, const struct cs_handlers *on);
void cs_free(struct consumer *c);
int cs_fail(struct consumer *c, enum et_error err, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

/* The engine is known now. Returns false if there is no memory. */
bool cs_use_engine(struct consumer *c, struct engine *e, const struct engine_ops *ops);
/* Makes room for sources that have come since. Returns false if there is no memory. */
bool cs_grow(struct consumer *c);
/* Returns where the thing comes from that the engine is handing out. */
unsigned cs_source(const struct consumer *c);
/* Returns whether a record is shown once for all sources: a clause of BEGIN, END or tick runs on each of them, but
 * there is only one result to print or to clear. */
bool cs_is_for_all(const struct consumer *c, const struct cs_rec *r);

/* What the options say now. */
struct show cs_show(const struct consumer *c);

/* Writes out what was gathered, if it is much or the output is buffered. */
int cs_flush_some(struct consumer *c, const struct cs_to *to, const struct et_probe *probe, const char *agg);
/* Writes out all of it, and flushes the stream. */
int cs_flush_all(struct consumer *c, const struct cs_to *to);

/* Writes to the stream, however long it takes until there is room (output.c). */
int cs_put(struct consumer *c, FILE *fp, const char *bytes, size_t n);
/* Reports that output had to wait, in ms. */
int cs_blocked(struct consumer *c, uint64_t ms);

/* Merges what the engine aggregated since the last time. */
int cs_snap(struct consumer *c);
/* The same, and again until it has everything that came before, for `ms` milliseconds at most. An engine never waits
 * for a firing; this waits in its place. */
int cs_snap_whole(struct consumer *c, unsigned ms);
enum { CS_A_FIRING = 50, CS_A_CUT = 2000, CS_THE_END = 10000 }; /* how long that is worth it */
/* Looks at the alerts over aggregations, after cs_snap(). */
int cs_conditions(struct consumer *c, const struct cs_to *to);
/* What an alert() shows of the minute before; valid until the next. */
void cs_put_picture(struct consumer *c, struct et_alertdata *out);
void cs_before_free(struct cs_before *m);
/* Takes the records out and shows them in order of time. Unless final, those from `until` (ns, monotonic) on wait
 * for the next turn, because another shard may still bring older ones. */
int cs_records(struct consumer *c, const struct cs_to *to, uint64_t until, bool final);
/* Reports what happened to the nodes. `last`: everything has been shown. */
int cs_news(struct consumer *c, bool last);
/* Reports new drops. */
int cs_drops(struct consumer *c, const struct eng_status *now);
/* Reports a probe that cannot fire here. */
int cs_unable(struct consumer *c, const char *provider, const char *name, const char *why);

/* -- order (merge.c) */
void cs_gather(struct consumer *c);
/* Sorts the store. Returns the number of records to show now. */
size_t cs_order(struct consumer *c, uint64_t until, bool final);
/* Forgets the first n; the rest waits. */
int cs_keep(struct consumer *c, size_t n);
void cs_store_free(struct cs_store *s);

/* -- one record (record.c) */
int cs_record(struct consumer *c, const struct cs_to *to, const struct cs_rec *r, const struct cs_rec *next);
/* Returns the probe of an enabled probe id, or NULL. */
const struct et_probe *cs_probe_of(const struct consumer *c, uint32_t epid);

/* -- flow indentation (flow.c) */
/* Sets flow, indent, prefix and process. `next` is the record after it or NULL. `whose` gets what d points to. */
int cs_flow(struct consumer *c, struct et_probedata *d, const struct cs_rec *r, const struct cs_rec *next,
    struct cs_whose *whose);
void cs_flows_free(struct cs_flows *f);

/* -- the default presentation (present.c) */
/* Before an action prints text in quiet mode: the name of its node, unless that is in the line already. Returns how
 * much there was before. */
size_t cs_label(struct consumer *c, const struct et_probedata *d, unsigned source);
/* After it: takes the name out again if nothing was printed. */
void cs_unlabel(struct consumer *c, size_t before, size_t labelled, unsigned source);
void cs_present_probe(struct consumer *c, const struct et_probedata *d);

/* -- messages (status.c) */
int cs_fault(struct consumer *c, const struct et_probe *p, const struct cs_rec *r);
/* A failing action: DTrace's library-level fault. */
int cs_liberr(struct consumer *c, const struct et_probedata *d, const char *text);

/* -- actions with effects (action.c) */
int cs_action(struct consumer *c, const struct cs_to *to, const struct et_probedata *d, const struct dobj_act *act,
    const struct val *vals, unsigned nvals);
bool cs_is_silent_action(uint32_t kind);

/* -- aggregations (aggprint.c) */
struct aggorder cs_aggorder(const struct consumer *c);
/* printa(); fmt is NULL for the default form. Appends to b. */
int cs_printa(struct consumer *c, struct sbuf *b, const uint32_t *aggs, unsigned naggs, const char *fmt,
    const struct cs_to *flush);
/* Prints everything that printa() has not shown. fn may be NULL. */
int cs_print_all(struct consumer *c, const struct cs_to *to, et_agg_f *fn, void *arg);
struct et_aggdata cs_aggdata(
    const struct consumer *c, const struct aggent *e, uint32_t agg, struct et_value keys[DOBJ_MAXKEYS]);
void cs_trunc(struct consumer *c, uint32_t agg, int64_t keep);

/* -- names of processes (names.c) */
/* Returns whether keys that are pids get names. */
bool cs_names_keys(const struct consumer *c);
/* Notes the pids in a key that the engine is handing out. */
void cs_note_key(struct consumer *c, const struct dobj_agg *a, const void *key, size_t keylen);
/* Asks for the names of the noted pids. */
void cs_ask_names(struct consumer *c);
/* Called before the elements of these aggregations are shown; naggs 0 means all. */
void cs_names_of(struct consumer *c, const uint32_t *aggs, unsigned naggs);
/* The same for the first n records. */
void cs_names_of_records(struct consumer *c, size_t n);
/* Returns whether name() is in the aggregation's key. */
bool cs_has_names(const struct consumer *c, uint32_t agg);
/* Returns the key with names in place of pids, on the heap, or NULL if there is no memory. */
void *cs_named_key(struct consumer *c, unsigned source, const struct dobj_agg *a, const void *key, size_t *keylen);

/* -- other outputs than DTrace's text: base/outputs.h is the list. Everything is appended to b. */
struct output_act {
	bool first;         /* of the record's actions */
	const char *action; /* "trace", … */
	const char *format; /* or NULL */
	const struct val *vals;
	unsigned nvals;
	const char *text; /* what the text output would show */
	size_t textlen;
};
struct output {
	/* A record: begin, its actions one by one, end. system(), freopen() and ftruncate() happen after the end. */
	void (*record_begin)(struct consumer *c, struct sbuf *b, const struct et_probedata *d);
	void (*action)(struct consumer *c, struct sbuf *b, const struct output_act *a);
	/* In the place of action() for printa(); 0 or -1. */
	int (*printa)(struct consumer *c, struct sbuf *b, bool first, const uint32_t *aggs, unsigned naggs);
	void (*record_end)(struct consumer *c, struct sbuf *b);
	/* An element of an aggregation that printa() has not shown. */
	void (*aggregation)(struct consumer *c, struct sbuf *b, const struct aggent *e);
	/* An alert over an aggregation began or ended. NULL: not written. */
	void (*alert)(struct consumer *c, struct sbuf *b, const struct et_alertdata *a);
};
#define DECLARE(X, id, name, help) extern const struct output output_##name;
ET_OUTPUTS(DECLARE, )
#undef DECLARE
/* present.c: returns the output that the options ask for, or NULL for DTrace's text. */
const struct output *cs_output(const struct consumer *c);

#endif
