/* What the service says about itself and about tracing. */
#include "export/export.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* The names of enum et_dropkind as values of a label. */
static const char *const causes[] = {
    [ET_DROP_PRINCIPAL] = "buffer",
    [ET_DROP_AGGREGATION] = "aggregation",
    [ET_DROP_DYNAMIC] = "dynamic",
    [ET_DROP_SPEC] = "speculation",
    [ET_DROP_SPECBUSY] = "speculation_busy",
    [ET_DROP_SPECUNAVAIL] = "speculation_unavailable",
    [ET_DROP_STKSTROVERFLOW] = "stack_strings",
    [ET_DROP_DBLERROR] = "double_error",
    [ET_DROP_UNTRACED] = "untraced",
    [ET_DROP_OVERHEAD] = "overhead",
    [ET_DROP_MEMORY] = "memory",
    [ET_DROP_LATE] = "late",
    [ET_DROP_TERM] = "term",
    [ET_DROP_BLOCKED] = "blocked",
    [ET_DROP_NODE] = "node",
};

/* One number of every place. */
enum what { W_ATTACHED, W_ATTACHES, W_FAILURES, W_VALUES, W_ESTIMATED, W_RECORDS, W_ERRORS, W_SPENT, W_RAN, W_OTHER };
static const struct {
	const char *name, *unit, *help;
	enum metric_type type;
	unsigned decimals;
} selves[] = {
    [W_ATTACHED] = {"erltrace_attached", NULL, "Whether the script runs on the node, or rests because of its share.",
	METRIC_GAUGE, 0},
    [W_ATTACHES] = {"erltrace_attaches", NULL, "How often the script was started on the node.", METRIC_COUNTER, 0},
    [W_FAILURES] = {"erltrace_attach_failures", NULL, "How often that failed, or the node was lost.", METRIC_COUNTER,
	0},
    [W_VALUES] = {"erltrace_aggregated", NULL,
	"Values that were added to counts, sums and distributions of the script; an event may add several.",
	METRIC_COUNTER, 0},
    [W_ESTIMATED] = {"erltrace_estimated", NULL,
	"What counts and distributions of the script have beyond that, for the time that it rested because of its share.",
	METRIC_COUNTER, 0},
    [W_RECORDS] = {"erltrace_records", NULL, "Records that the script wrote.", METRIC_COUNTER, 0},
    [W_ERRORS] = {"erltrace_errors", NULL, "Faults of the script's clauses, such as a division by zero.",
	METRIC_COUNTER, 0},
    [W_SPENT] = {"erltrace_overhead_seconds", "seconds", "Time of the node's schedulers that tracing took.",
	METRIC_COUNTER, 9},
    [W_RAN] = {"erltrace_running_seconds", "seconds",
	"How long the script ran on the node: all the time, or a part of it that its share allows.", METRIC_COUNTER, 9},
    [W_OTHER] = {"erltrace_without_row", NULL,
	"How often values were added to the row 'other', because the metric had too many rows.", METRIC_COUNTER, 0},
};

static uint64_t
number_of(const struct export_place *p, enum what w)
{
	switch (w) {
	case W_ATTACHED:
		return p->attached > 0;
	case W_ATTACHES:
		return p->attaches;
	case W_FAILURES:
		return p->failures;
	case W_VALUES:
		return p->values;
	case W_ESTIMATED:
		return p->estimated;
	case W_RECORDS:
		return p->records;
	case W_ERRORS:
		return p->errors;
	case W_SPENT:
		return p->spent_ns;
	case W_RAN:
		return p->ran_ns;
	case W_OTHER:
		return p->left_out;
	}
	return 0;
}

static void
place_labels(struct sbuf *b, const struct export_script *s, const struct export_place *p)
{
	text_label(b, "script", s->name);
	if (p->node) {
		sb_addc(b, ',');
		text_label(b, "node", p->node);
	}
}

static void
place_lines(struct service *v, struct sbuf *b, enum what w)
{
	for (unsigned i = 0; i < v->nscripts; i++) {
		struct export_script *s = v->scripts[i];
		pthread_mutex_lock(&s->lock);
		for (unsigned k = 0; k < s->nplaces; k++) {
			const struct export_place *p = s->places[k];
			if (!p->used)
				continue;
			sb_printf(b, "%s%s{", selves[w].name, selves[w].type == METRIC_COUNTER ? "_total" : "");
			place_labels(b, s, p);
			sb_adds(b, "} ");
			text_number(b, (int64_t)number_of(p, w), selves[w].decimals);
			sb_addc(b, '\n');
		}
		pthread_mutex_unlock(&s->lock);
	}
}

static void
drop_lines(struct service *v, struct sbuf *b)
{
	for (unsigned i = 0; i < v->nscripts; i++) {
		struct export_script *s = v->scripts[i];
		pthread_mutex_lock(&s->lock);
		for (unsigned k = 0; k < s->nplaces; k++)
			for (unsigned c = 0; s->places[k]->used && c < sizeof causes / sizeof *causes; c++) {
				sb_adds(b, "erltrace_drops_total{");
				place_labels(b, s, s->places[k]);
				sb_printf(b, ",cause=\"%s\"} %" PRIu64 "\n", causes[c], s->places[k]->drops[c]);
			}
		pthread_mutex_unlock(&s->lock);
	}
}

static void
row_lines(struct service *v, struct sbuf *b)
{
	for (unsigned i = 0; i < v->nscripts; i++) {
		struct export_script *s = v->scripts[i];
		pthread_mutex_lock(&s->lock);
		for (unsigned k = 0; k < s->metrics.n; k++)
			sb_printf(b, "erltrace_rows{metric=\"%s\"} %zu\n", s->metrics.at[k].name, s->fams[k].n);
		pthread_mutex_unlock(&s->lock);
	}
}

static void
count_line(struct sbuf *b, const char *name, const char *labels, uint64_t n)
{
	sb_printf(b, "%s%s %" PRIu64 "\n", name, labels, n);
}

static unsigned
open_files(void)
{
	unsigned n = 0;
	DIR *d = opendir("/proc/self/fd");
	while (d && readdir(d))
		n++;
	if (d)
		closedir(d);
	return n > 3 ? n - 3 : 0; /* ., .. and the folder itself */
}

/* The names that every exporter has for its own process. */
static void
process_lines(const struct service *v, struct sbuf *b, bool open)
{
	struct rusage u = {0};
	unsigned long long pages = 0;
	FILE *fp = fopen("/proc/self/statm", "re");
	if (fp && fscanf(fp, "%*u %llu", &pages) != 1)
		pages = 0;
	if (fp)
		fclose(fp);
	getrusage(RUSAGE_SELF, &u);
	text_head(b, "process_cpu_seconds", METRIC_COUNTER, "seconds", "Processor time of this service.", open);
	sb_adds(b, "process_cpu_seconds_total ");
	text_number(b,
	    (u.ru_utime.tv_sec + u.ru_stime.tv_sec) * 1000000 + (int64_t)(u.ru_utime.tv_usec + u.ru_stime.tv_usec), 6);
	sb_addc(b, '\n');
	text_head(b, "process_resident_memory_bytes", METRIC_GAUGE, "bytes", "Memory of this service.", open);
	sb_printf(b, "process_resident_memory_bytes %llu\n", pages * (unsigned long long)sysconf(_SC_PAGESIZE));
	text_head(b, "process_open_fds", METRIC_GAUGE, NULL, "Open files of this service.", open);
	sb_printf(b, "process_open_fds %u\n", open_files());
	text_head(b, "process_start_time_seconds", METRIC_GAUGE, "seconds", "When this service was started.", open);
	sb_printf(b, "process_start_time_seconds %" PRIu64 "\n", v->started);
}

/* Everybody who can scrape may read this: a URL's user info, path and query and a command's arguments may be secrets.
 * The number tells apart what looks the same without them. */
static void
destination_name(const struct service *v, unsigned i, struct sbuf *b)
{
	const struct alert_destination *to = &v->conf->alerts.to[i];
	sb_printf(b, "%u: ", i + 1);
	if (!to->url) {
		sb_adds(b, to->argv[0] ? to->argv[0] : "");
		return;
	}
	const char *scheme_end = strstr(to->url, "://"), *host = scheme_end ? scheme_end + 3 : to->url,
		   *end = host + strcspn(host, "/?#");
	for (const char *at; (at = memchr(host, '@', (size_t)(end - host)));)
		host = at + 1;
	sb_add(b, host, (size_t)(end - host));
}

static void
alert_lines(const struct service *v, struct sbuf *b, bool open)
{
	struct alerts_numbers n;
	alerts_count(v->alerts, &n);
	text_head(b, "erltrace_alerts_active", METRIC_GAUGE, NULL, "Alerts that are not over.", open);
	sb_printf(b, "erltrace_alerts_active %" PRIu64 "\n", n.active);
	text_head(b, "erltrace_alerts", METRIC_COUNTER, NULL, "Calls of alert() in scripts.", open);
	sb_printf(b, "erltrace_alerts_total %" PRIu64 "\n", n.fired);
	text_head(b, "erltrace_alerts_dropped", METRIC_COUNTER, NULL,
	    "Calls of alert() that were ignored because there were too many keys.", open);
	sb_printf(b, "erltrace_alerts_dropped_total %" PRIu64 "\n", n.dropped);
	if (!v->conf->alerts.n)
		return;
	text_head(
	    b, "erltrace_alert_messages", METRIC_COUNTER, NULL, "Messages about alerts to each destination.", open);
	for (unsigned i = 0; i < v->conf->alerts.n; i++) {
		struct sbuf label = {0}, name = {0};
		destination_name(v, i, &name);
		text_label(&label, "to", name.at ? name.at : "");
		sb_printf(b, "erltrace_alert_messages_total{%s,result=\"sent\"} %" PRIu64 "\n", label.at, n.sent[i]);
		sb_printf(
		    b, "erltrace_alert_messages_total{%s,result=\"failed\"} %" PRIu64 "\n", label.at, n.failed[i]);
		sb_free(&label);
		sb_free(&name);
	}
}

static void
otlp_lines(const struct service *v, struct sbuf *b, bool open)
{
	struct otlp_numbers n;
	otlp_count(v->otlp, &n);
	text_head(b, "erltrace_otlp_pushes", METRIC_COUNTER, NULL,
	    "Pushes of metrics by OTLP; skipped: the one before was not over.", open);
	count_line(b, "erltrace_otlp_pushes_total", "{result=\"sent\"}", n.sent);
	count_line(b, "erltrace_otlp_pushes_total", "{result=\"failed\"}", n.failed);
	count_line(b, "erltrace_otlp_pushes_total", "{result=\"skipped\"}", n.skipped);
}

void
self_text(struct service *v, struct sbuf *b, bool open)
{
	for (unsigned w = 0; w < sizeof selves / sizeof *selves; w++) {
		text_head(b, selves[w].name, selves[w].type, selves[w].unit, selves[w].help, open);
		place_lines(v, b, (enum what)w);
	}
	text_head(b, "erltrace_drops", METRIC_COUNTER, NULL, "What was dropped, by cause.", open);
	drop_lines(v, b);
	text_head(b, "erltrace_rows", METRIC_GAUGE, NULL, "Rows of each metric, of all nodes.", open);
	row_lines(v, b);
	text_head(b, "erltrace_scrapes", METRIC_COUNTER, NULL, "Scrapes that were answered, by format.", open);
	count_line(b, "erltrace_scrapes_total", "{format=\"prometheus\"}", v->scrapes[FORMAT_TEXT]);
	count_line(b, "erltrace_scrapes_total", "{format=\"openmetrics\"}", v->scrapes[FORMAT_OPEN]);
	count_line(b, "erltrace_scrapes_total", "{format=\"protobuf\"}", v->scrapes[FORMAT_PROTO]);
	text_head(b, "erltrace_scrapes_failed", METRIC_COUNTER, NULL,
	    "Scrapes that were refused because too many were being answered, or cut off because they took too long.",
	    open);
	count_line(b, "erltrace_scrapes_failed_total", "{reason=\"busy\"}", v->refused);
	count_line(b, "erltrace_scrapes_failed_total", "{reason=\"slow\"}", v->cut);
	text_head(b, "erltrace_reloads", METRIC_COUNTER, NULL, "How often the configuration was read again.", open);
	count_line(b, "erltrace_reloads_total", "{result=\"done\"}", v->reloads[1]);
	count_line(b, "erltrace_reloads_total", "{result=\"failed\"}", v->reloads[0]);
	alert_lines(v, b, open);
	if (v->otlp)
		otlp_lines(v, b, open);
	process_lines(v, b, open);
}
