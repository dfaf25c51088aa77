/* One running script, from opening its handle to closing it, in a thread of its own. */
#include "web/web.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Options that a page may give with a script. Nothing that names files. */
static const char *const page_options[] = {"aggsize", "bufsize", "dynvarsize", "jstackframes", "jstackstrsize",
    "maxframes", "maxoverhead", "nspec", "scratchsize", "specsize", "stackframes", "strsize", "ustackframes", NULL};

static uint64_t
now_ns(void)
{
	struct timespec ts;
	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

/* -- the log -- */

/* Takes the text over. */
static void
log_line(struct run *r, char *line)
{
	if (!line)
		return;
	pthread_mutex_lock(&r->lock);
	char **place = &r->log[r->logged++ % RUN_LOG];
	free(*place);
	*place = line;
	pthread_mutex_unlock(&r->lock);
}

static void
log_text(struct run *r, const char *kind, const char *probe, uint64_t ns, unsigned cpu, const char *text, size_t len)
{
	struct sbuf b = {0};
	sb_printf(&b, "{\"kind\":\"%s\",\"ns\":%" PRIu64 ",\"cpu\":%u,\"probe\":", kind, ns, cpu);
	web_text(&b, probe, strlen(probe));
	sb_adds(&b, ",\"text\":");
	web_text(&b, text, len < RUN_LINE ? len : RUN_LINE);
	sb_adds(&b, "}");
	log_line(r, sb_take(&b));
	sb_free(&b);
}

bool
run_log(struct run *r, uint64_t *next, uint64_t *lost, size_t most, struct sbuf *b)
{
	pthread_mutex_lock(&r->lock);
	uint64_t first = r->logged > RUN_LOG ? r->logged - RUN_LOG : 0, i = *next;
	size_t start = b->len;
	*lost = i < first ? first - i : 0;
	if (i < first)
		i = first;
	bool any = i < r->logged;
	sb_addc(b, '[');
	for (; i < r->logged && b->len - start < most; i++) {
		if (b->len - start > 1)
			sb_addc(b, ',');
		sb_adds(b, r->log[i % RUN_LOG]);
	}
	sb_addc(b, ']');
	*next = i;
	pthread_mutex_unlock(&r->lock);
	return any;
}

/* -- what the library calls -- */

static bool
is_one_of(const char *name, const char *const *names)
{
	while (*names && strcmp(*names, name) != 0)
		names++;
	return *names != NULL;
}

static void
probe_name(const struct et_probe *p, struct sbuf *b)
{
	sb_printf(b, "%s:%s:%s:%s", p->provider, p->module, p->function, p->name);
}

static enum et_consume
on_probe(const struct et_probedata *d, void *arg)
{
	struct run *r = arg;
	(void)d;
	r->nactions = 0;
	sb_clear(&r->record);
	return ET_CONSUME_THIS;
}

static enum et_consume
on_record(const struct et_probedata *d, const struct et_recdata *rec, void *arg)
{
	static const char *const files[] = {"freopen", "ftruncate", "pcap", NULL};
	struct run *r = arg;
	if (!rec) {
		r->records++;
		if (r->record.len || !r->nactions) {
			struct sbuf name = {0};
			probe_name(d->probe, &name);
			if (!name.failed && !r->record.failed)
				log_text(r, "record", name.at, d->timestamp, d->cpu, r->record.at ? r->record.at : "",
				    r->record.len);
			sb_free(&name);
		}
		return ET_CONSUME_THIS;
	}
	r->nactions++;
	if (is_one_of(rec->action, files)) {
		r->refused = true;
		r->refusal =
		    "scripts of the page cannot name files: freopen(), ftruncate() and pcap() are for the command";
		return ET_CONSUME_ABORT;
	}
	if (r->record.len < RUN_LINE)
		sb_adds(&r->record, rec->text);
	return ET_CONSUME_THIS;
}

static enum et_handle
on_error(const struct et_errdata *e, void *arg)
{
	struct run *r = arg;
	struct sbuf name = {0};
	probe_name(e->probe, &name);
	if (!name.failed)
		log_text(r, "error", name.at, 0, e->cpu, e->msg, strcspn(e->msg, "\n"));
	sb_free(&name);
	pthread_mutex_lock(&r->lock);
	r->errors++;
	pthread_mutex_unlock(&r->lock);
	return ET_HANDLE_OK;
}

static enum et_handle
on_drop(const struct et_dropdata *d, void *arg)
{
	struct run *r = arg;
	log_text(r, "drop", "", 0, 0, d->msg, strcspn(d->msg, "\n"));
	pthread_mutex_lock(&r->lock);
	r->drops += d->drops;
	r->guard |= d->kind == ET_DROP_OVERHEAD;
	pthread_mutex_unlock(&r->lock);
	return ET_HANDLE_OK;
}

/* -- starting -- */

static void
set_state(struct run *r, enum run_state st, const char *why, struct sbuf *diag)
{
	char *text = why ? strndup(why, RUN_LINE) : NULL;
	pthread_mutex_lock(&r->lock);
	r->state = st;
	if (text) {
		free(r->why);
		r->why = text;
	}
	if (diag && diag->len && !r->diag)
		r->diag = sb_take(diag);
	pthread_mutex_unlock(&r->lock);
	r->wake(r->wakearg);
}

void
run_diag_json(struct et *h, struct sbuf *b)
{
	const struct et_diag *d = et_errno(h) == ET_ECOMPILE ? et_errdiag(h) : NULL;
	if (!d) {
		sb_adds(b, "null");
		return;
	}
	sb_adds(b, "{\"tag\":");
	web_text(b, d->tag ? d->tag : "", d->tag ? strlen(d->tag) : 0);
	sb_printf(b, ",\"line\":%u,\"col\":%u,\"len\":%u,\"msg\":", d->line, d->col, d->len);
	web_text(b, d->msg ? d->msg : "", d->msg ? strlen(d->msg) : 0);
	sb_adds(b, ",\"hint\":");
	if (d->hint)
		web_text(b, d->hint, strlen(d->hint));
	else
		sb_adds(b, "null");
	sb_addc(b, '}');
}

bool
run_check_options(struct et *h, bool destructive, const char **why)
{
	static const char *const texts[] = {
	    "cpp", "cppargs", "cpphdrs", "cpppath", "incdir", "libdir", "syslibdir", "define", "undef", NULL};
	static const char *const sizes[] = {"aggsize", "bufsize", "dynvarsize", "specsize", "scratchsize", NULL};
	const char *text;
	int64_t num, sum = 0, nspec = 1;
	for (const char *const *o = texts; *o; o++) {
		num = 0;
		text = NULL;
		et_getopt(h, *o, &num, &text);
		if (num > 0 || text) {
			*why =
			    "scripts of the page cannot name files or run the preprocessor; use the command for that";
			return false;
		}
	}
	et_getopt(h, "nspec", &nspec, NULL);
	for (const char *const *o = sizes; *o; o++) {
		num = 0;
		et_getopt(h, *o, &num, NULL);
		if (num < 0 || num > RUN_MEMORY)
			num = RUN_MEMORY + 1;
		if (strcmp(*o, "specsize") == 0 && nspec > 1)
			num = nspec > RUN_MEMORY / (num + 1) ? RUN_MEMORY + 1 : num * nspec;
		sum += num;
	}
	num = 0;
	et_getopt(h, "strsize", &num, NULL);
	long cpus = sysconf(_SC_NPROCESSORS_CONF);
	if (num > 2 << 20 || sum > RUN_MEMORY / (cpus > 0 ? cpus : 1)) {
		*why =
		    "the sizes that the script's options ask for are too large for the page: 512 MB in all, strings of 2 MB";
		return false;
	}
	num = 0;
	et_getopt(h, "destructive", &num, NULL);
	if (num && !destructive) {
		*why = "destructive actions are not allowed here; the server must be started with -w for them";
		return false;
	}
	return true;
}

static bool
set_options(struct run *r, struct et *h)
{
	char ms[32];
	snprintf(ms, sizeof ms, "%ums", r->interval < 500 ? r->interval : 500);
	bool ok = et_setopt(h, "quiet", NULL) == 0 && et_setopt(h, "defaultargs", NULL) == 0 &&
		  et_setopt(h, "switchrate", ms) == 0 && et_setopt(h, "aggrate", ms) == 0 &&
		  et_setopt(h, "statusrate", "500ms") == 0 &&
		  (!r->destructive || et_setopt(h, "destructive", NULL) == 0);
	for (unsigned i = 0; ok && i < r->nopts; i++) {
		if (!is_one_of(r->opts[i].name, page_options)) {
			set_state(r, RUN_FAILED, "this option cannot be set from the page", NULL);
			return false;
		}
		ok = et_setopt(h, r->opts[i].name, r->opts[i].value) == 0;
	}
	if (!ok)
		set_state(r, RUN_FAILED, et_errmsg(h, et_errno(h)), NULL);
	return ok;
}

/* Everything up to et_go(). */
static bool
begin(struct run *r, struct et *h)
{
	const char *why;
	struct et_proginfo info;
	if (!set_options(r, h))
		return false;
	if (r->node && et_attach(h, r->node, r->cookie) != 0) {
		set_state(r, RUN_FAILED, et_errmsg(h, et_errno(h)), NULL);
		return false;
	}
	const char *argv[] = {r->name};
	struct et_prog *p = et_program_strcompile(h, r->script, ET_PROBESPEC_NAME, 0, 1, argv);
	if (!p) {
		struct sbuf diag = {0};
		run_diag_json(h, &diag);
		set_state(r, RUN_FAILED, et_errmsg(h, et_errno(h)), &diag);
		sb_free(&diag);
		return false;
	}
	if (!run_check_options(h, r->destructive, &why)) {
		set_state(r, RUN_FAILED, why, NULL);
		return false;
	}
	if (atomic_load(&r->stop))
		return false;
	et_handle_err(h, on_error, r);
	et_handle_drop(h, on_drop, r);
	if (et_program_exec(h, p, &info) != 0 || et_go(h) != 0) {
		set_state(r, RUN_FAILED, et_errmsg(h, et_errno(h)), NULL);
		return false;
	}
	pthread_mutex_lock(&r->lock);
	r->matches = info.matches;
	pthread_mutex_unlock(&r->lock);
	set_state(r, RUN_GOING, NULL, NULL);
	return true;
}

/* -- going -- */

static bool
publish(struct run *r, struct et *h, bool last)
{
	struct frame *part = NULL, *whole = NULL;
	pthread_mutex_lock(&r->lock);
	bool want = r->want_whole || last;
	r->want_whole = false;
	pthread_mutex_unlock(&r->lock);
	bool ok = r->form == RUN_FRAMES ? frame_build(r, h, want, &part, &whole) : frame_plain(r, h, &whole);
	if (!ok) {
		frame_drop(part);
		frame_drop(whole);
		return false;
	}
	pthread_mutex_lock(&r->lock);
	struct frame *old[2] = {r->part, whole ? r->whole : NULL};
	r->part = part;
	if (whole)
		r->whole = whole;
	pthread_mutex_unlock(&r->lock);
	frame_drop(old[0]);
	frame_drop(old[1]);
	r->wake(r->wakearg);
	return true;
}

struct frame *
run_frame(struct run *r, uint64_t seq)
{
	struct frame *f = NULL;
	pthread_mutex_lock(&r->lock);
	uint64_t newest = r->part ? r->part->seq : 0;
	if (r->whole && r->whole->seq > newest)
		newest = r->whole->seq;
	if (newest > seq) {
		if (seq && r->part && r->part->seq == seq + 1)
			f = r->part;
		else if (r->whole && r->whole->seq == newest)
			f = r->whole;
		else
			r->want_whole = true;
	}
	if (f)
		atomic_fetch_add(&f->refs, 1);
	pthread_mutex_unlock(&r->lock);
	return f;
}

/* Until the script or somebody ends it. */
static void
go_on(struct run *r, struct et *h, FILE *nowhere)
{
	uint64_t step = (uint64_t)r->interval * 1000000u, due = now_ns() + step;
	for (;;) {
		et_sleep(h);
		uint64_t now = now_ns();
		bool is_due = now + 2000000u >= due;
		if (is_due && et_status(h) == ET_STATUS_OKAY && et_aggregate_snap(h) != 0)
			break;
		enum et_workstatus s = et_work(h, nowhere, on_probe, on_record, r);
		if (s == ET_WORKSTATUS_ERROR)
			break;
		if (is_due || s == ET_WORKSTATUS_DONE) {
			due += step;
			if (due <= now)
				due = now + step;
			if (!publish(r, h, s == ET_WORKSTATUS_DONE)) {
				set_state(r, RUN_FAILED, "out of memory", NULL);
				return;
			}
		}
		if (s == ET_WORKSTATUS_DONE) {
			char why[64];
			bool exited = et_status(h) == ET_STATUS_EXITED;
			snprintf(why, sizeof why, "exit(%d)", et_exit_status(h));
			set_state(r, RUN_ENDED,
			    r->guard ? "stopped by the overhead guard"
			    : exited ? why
				     : "stopped",
			    NULL);
			return;
		}
	}
	set_state(r, RUN_FAILED, r->refused ? r->refusal : et_errmsg(h, et_errno(h)), NULL);
}

static void *
work(void *arg)
{
	struct run *r = arg;
	int err = ET_ENOMEM;
	FILE *nowhere = fopen("/dev/null", "we");
	struct et *h = nowhere ? et_open(ET_VERSION, &err) : NULL;
	if (!h)
		set_state(r, RUN_FAILED, nowhere ? et_errmsg(NULL, err) : strerror(errno), NULL);
	else {
		pthread_mutex_lock(&r->lock);
		r->h = h;
		pthread_mutex_unlock(&r->lock);
		if (begin(r, h))
			go_on(r, h, nowhere);
		else if (atomic_load(&r->stop))
			set_state(r, RUN_ENDED, "stopped", NULL);
		pthread_mutex_lock(&r->lock);
		r->h = NULL;
		pthread_mutex_unlock(&r->lock);
	}
	et_close(h);
	if (nowhere)
		fclose(nowhere);
	atomic_store(&r->over, true);
	r->wake(r->wakearg);
	return NULL;
}

/* -- from outside -- */

static void
give_back(struct run *r)
{
	for (unsigned i = 0; i < r->nopts; i++) {
		free((char *)r->opts[i].name);
		free((char *)r->opts[i].value);
	}
	free(r->opts);
	for (unsigned i = 0; i < RUN_LOG; i++)
		free(r->log[i]);
	frame_drop(r->part);
	frame_drop(r->whole);
	elems_free(&r->elems);
	sb_free(&r->record);
	free(r->name);
	free(r->script);
	free(r->node);
	free(r->cookie);
	free(r->why);
	free(r->diag);
	pthread_mutex_destroy(&r->lock);
	free(r);
}

static bool
copy_conf(struct run *r, const struct run_conf *c)
{
	r->name = strdup(c->name);
	r->script = strdup(c->script);
	r->node = c->node ? strdup(c->node) : NULL;
	r->cookie = c->cookie ? strdup(c->cookie) : NULL;
	r->interval = c->interval;
	r->destructive = c->destructive;
	r->form = c->form;
	bool ok = r->name && r->script && (r->node || !c->node) && (r->cookie || !c->cookie);
	r->opts = c->nopts ? calloc(c->nopts, sizeof *r->opts) : NULL;
	for (unsigned i = 0; r->opts && i < c->nopts; i++) {
		r->opts[i].name = strdup(c->opts[i].name);
		r->opts[i].value = strdup(c->opts[i].value);
		ok = ok && r->opts[i].name && r->opts[i].value;
		r->nopts++;
	}
	return ok && r->nopts == c->nopts;
}

struct run *
run_start(const struct run_conf *c, unsigned id, void (*wake)(void *arg), void *arg)
{
	struct timespec ts;
	struct run *r = calloc(1, sizeof *r);
	if (!r)
		return NULL;
	pthread_mutex_init(&r->lock, NULL);
	clock_gettime(CLOCK_REALTIME, &ts);
	r->id = id;
	r->started = (uint64_t)ts.tv_sec * 1000 + (uint64_t)ts.tv_nsec / 1000000;
	r->wake = wake;
	r->wakearg = arg;
	if (!copy_conf(r, c) || pthread_create(&r->thread, NULL, work, r) != 0) {
		give_back(r);
		return NULL;
	}
	return r;
}

void
run_stop(struct run *r)
{
	atomic_store(&r->stop, true);
	pthread_mutex_lock(&r->lock);
	if (r->h)
		et_interrupt(r->h);
	pthread_mutex_unlock(&r->lock);
}

void
run_free(struct run *r)
{
	run_stop(r);
	pthread_join(r->thread, NULL);
	give_back(r);
}

static void
member(struct sbuf *b, const char *name, const char *text)
{
	sb_printf(b, ",\"%s\":", name);
	if (text)
		web_text(b, text, strlen(text));
	else
		sb_adds(b, "null");
}

void
run_json(struct run *r, struct sbuf *b, unsigned watchers)
{
	static const char *const states[] = {"starting", "running", "ended", "failed"};
	pthread_mutex_lock(&r->lock);
	bool stopping = atomic_load(&r->stop) && r->state < RUN_ENDED;
	sb_printf(b,
	    "{\"id\":%u,\"state\":\"%s\",\"interval\":%u,\"started\":%" PRIu64
	    ",\"watchers\":%u,\"matches\":%u,\"events\":%" PRIu64 ",\"rate\":%.1f,\"drops\":%" PRIu64
	    ",\"errors\":%" PRIu64 ",\"guard\":%s",
	    r->id, stopping ? "stopping" : states[r->state], r->interval, r->started, watchers, r->matches, r->events,
	    r->rate, r->drops, r->errors, r->guard ? "true" : "false");
	member(b, "name", r->name);
	member(b, "node", r->node);
	member(b, "why", r->why);
	sb_printf(b, ",\"diag\":%s}", r->diag ? r->diag : "null");
	pthread_mutex_unlock(&r->lock);
}
