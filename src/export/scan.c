/*
 * What a script says about its metrics. A line of a comment names one:
 *
 *	@metric @AGGREGATION NAME [by LABEL, LABEL] [in UNIT] [sum @AGGREGATION] [buckets LOW..HIGH] [as gauge]: HELP
 *
 * and another what the script may cost a node, in percent of a scheduler:
 *
 *	@share PERCENT
 *
 * It is a comment, like the @needs and @arg lines of the ready-made scripts, so that the script stays plain D: the
 * compiler does not look at it, and DTrace's own command runs it too.
 *
 * The code is looked at only so far that mistakes are found before anything runs: which aggregations it has, with which
 * function and how many keys.
 */
#include "export/export.h"

#include "base/strmap.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_AGGS = 256, MOST_METRICS = 256, MOST_WORDS = 64 };

/* An aggregation in the code. */
struct scanned_agg {
	char name[128];
	bool has_fn;
	enum et_aggfn fn;
	unsigned nkeys;
	char said[16]; /* what stands for the function, if it is none */
};

struct metric_scan {
	const char *name, *text;
	struct scanned_agg aggs[MOST_AGGS];
	unsigned naggs;
	struct metrics *m;
	struct why *why;
};

static const struct {
	const char *word, *unit, *suffix;
	unsigned decimals;
} units[] = {
    {"ns", "seconds", "_seconds", 9},
    {"us", "seconds", "_seconds", 6},
    {"ms", "seconds", "_seconds", 3},
    {"s", "seconds", "_seconds", 0},
    {"bytes", "bytes", "_bytes", 0},
    {"percent", "ratio", "_ratio", 2},
};
enum { NUNITS = sizeof units / sizeof *units };

const char *
metric_type_name(enum metric_type t)
{
	return t == METRIC_COUNTER ? "counter" : t == METRIC_GAUGE ? "gauge" : "histogram";
}

void
metrics_free(struct metrics *m)
{
	for (unsigned i = 0; i < m->n; i++) {
		struct metric *t = &m->at[i];
		free(t->agg);
		free(t->name);
		for (unsigned k = 0; k < t->nlabels; k++)
			free(t->labels[k]);
		free(t->unit);
		free(t->sum);
		free(t->help);
	}
	free(m->at);
	*m = (struct metrics){0};
}

/* -- the code -- */

static bool
is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

static struct scanned_agg *
find_agg(struct metric_scan *s, const char *name)
{
	for (unsigned i = 0; i < s->naggs; i++)
		if (strcmp(s->aggs[i].name, name) == 0)
			return &s->aggs[i];
	return NULL;
}

/* Skips white space, comments, and a string or character constant if there is one. */
static const char *
skip_text(const char *p)
{
	if (*p == '"' || *p == '\'') {
		char quote = *p++;
		while (*p && *p != quote && *p != '\n')
			p += *p == '\\' && p[1] ? 2 : 1;
		return *p == quote ? p + 1 : p;
	}
	if (p[0] == '/' && p[1] == '*') {
		const char *end = strstr(p + 2, "*/");
		return end ? end + 2 : p + strlen(p);
	}
	return p + 1;
}

static bool
starts_text(const char *p)
{
	return *p == '"' || *p == '\'' || (p[0] == '/' && p[1] == '*');
}

static const char *
skip_gap(const char *p)
{
	while (isspace((unsigned char)*p) || (p[0] == '/' && p[1] == '*'))
		p = skip_text(p);
	return p;
}

/* Goes behind the keys [a, b] and counts them. */
static const char *
read_keys(const char *p, unsigned *n)
{
	unsigned deep = 0;
	*n = 1;
	while (*p) {
		if (starts_text(p)) {
			p = skip_text(p);
			continue;
		}
		if (strchr("[({", *p))
			deep++;
		else if (strchr("])}", *p) && --deep == 0)
			return p + 1;
		else if (*p == ',' && deep == 1)
			++*n;
		p++;
	}
	return p;
}

/* p is behind the @. */
static const char *
read_agg(struct metric_scan *s, const char *p)
{
	char name[sizeof s->aggs->name];
	size_t n = 0;
	while (is_word(p[n]))
		n++;
	if (n >= sizeof name)
		return p + n;
	memcpy(name, p, n);
	name[n] = '\0';
	struct scanned_agg *a = find_agg(s, name);
	if (!a && s->naggs < MOST_AGGS) {
		a = &s->aggs[s->naggs++];
		memcpy(a->name, name, n + 1);
	}
	const char *after = p + n, *q = skip_gap(after);
	unsigned nkeys = 0;
	if (*q == '[')
		q = skip_gap(read_keys(q, &nkeys));
	if (!a || a->has_fn || q[0] != '=' || q[1] == '=')
		return after;
	q = skip_gap(q + 1);
	for (n = 0; is_word(q[n]);)
		n++;
	for (enum et_aggfn f = ET_AGG_COUNT; *et_agg_name(f); f++)
		if (strlen(et_agg_name(f)) == n && memcmp(et_agg_name(f), q, n) == 0) {
			a->has_fn = true;
			a->fn = f;
			a->nkeys = nkeys;
		}
	if (!a->has_fn && n < sizeof a->said && *skip_gap(q + n) == '(') {
		memcpy(a->said, q, n);
		a->said[n] = '\0';
	}
	return after;
}

static void
read_code(struct metric_scan *s)
{
	for (const char *p = s->text; *p;) {
		if (starts_text(p))
			p = skip_text(p);
		else if (*p == '@')
			p = read_agg(s, p + 1);
		else
			p++;
	}
}

/* -- the lines -- */

struct metric_line {
	struct metric_scan *s;
	unsigned number; /* in the script */
	char *words[MOST_WORDS];
	unsigned n, at;
};

__attribute__((format(printf, 2, 3))) static bool
fail(struct metric_line *l, const char *fmt, ...)
{
	struct why what;
	va_list ap;
	va_start(ap, fmt);
	why_vset(&what, fmt, ap);
	va_end(ap);
	why_set(l->s->why, "%s:%u: %s", l->s->name, l->number, what.text);
	return false;
}

static const char *
peek(const struct metric_line *l)
{
	return l->at < l->n ? l->words[l->at] : "";
}

static const char *
next(struct metric_line *l)
{
	return l->at < l->n ? l->words[l->at++] : "";
}

static enum metric_type
type_of(enum et_aggfn fn)
{
	enum et_aggkind k = et_agg_kind(fn);
	return k == ET_AGGKIND_DISTRIBUTION ? METRIC_HISTOGRAM : k == ET_AGGKIND_TOTAL ? METRIC_COUNTER : METRIC_GAUGE;
}

static bool
ends_in(const char *s, const char *end)
{
	size_t n = strlen(s), k = strlen(end);
	return n > k && strcmp(s + n - k, end) == 0;
}

/* Adds why an aggregation has no function, if that is known. */
static void
add_said(struct why *why, const struct scanned_agg *a)
{
	const char *names[ET_AGG_LLQUANTIZE + 1];
	size_t n = 0;
	if (!a->said[0])
		return;
	for (enum et_aggfn f = ET_AGG_COUNT; *et_agg_name(f) && n < sizeof names / sizeof *names; f++)
		names[n++] = et_agg_name(f);
	const char *near = near_miss(a->said, names, n);
	why_add(why, ": '%s' is no aggregating function%s%s%s", a->said, near ? "; did you mean '" : "",
	    near ? near : "", near ? "'?" : "");
}

/* The aggregation with this name, which the code must have. The word begins with @. */
static struct scanned_agg *
agg_of(struct metric_line *l, const char *word)
{
	struct metric_scan *s = l->s;
	const char *names[MOST_AGGS];
	struct scanned_agg *a = *word == '@' ? find_agg(s, word + 1) : NULL;
	if (a && a->has_fn)
		return a;
	if (*word != '@') {
		fail(l, "'%s' should be an aggregation, such as @latency", word);
		return NULL;
	}
	for (unsigned i = 0; i < s->naggs; i++)
		names[i] = s->aggs[i].name;
	const char *near = a ? NULL : near_miss(word + 1, names, s->naggs);
	fail(l, "the script has no aggregation %s%s%s%s", word, near ? "; did you mean @" : "", near ? near : "",
	    near ? "?" : "");
	if (a)
		add_said(s->why, a);
	return NULL;
}

static bool
read_labels(struct metric_line *l, struct metric *m)
{
	for (bool more = true; more;) {
		char word[128];
		snprintf(word, sizeof word, "%s", next(l));
		size_t n = strlen(word);
		more = n && word[n - 1] == ',';
		if (more)
			word[n - 1] = '\0';
		if (!name_is_label(word))
			return fail(l, "'%s' cannot be the name of a label: letters, digits and _", word);
		if (strcmp(word, "node") == 0 || strcmp(word, "le") == 0)
			return fail(l, "the label '%s' has a meaning of its own%s", word,
			    *word == 'n' ? ": every metric of a node has it, with the node's name" : "");
		for (unsigned i = 0; i < m->nlabels; i++)
			if (strcmp(m->labels[i], word) == 0)
				return fail(l, "the label '%s' is there twice", word);
		if (m->nlabels == EXP_LABELS)
			return fail(l, "more than %d labels", EXP_LABELS);
		if (!(m->labels[m->nlabels] = strdup(word)))
			return fail(l, "out of memory");
		m->nlabels++;
	}
	return true;
}

static bool
read_unit(struct metric_line *l, struct metric *m)
{
	const char *word = next(l), *names[NUNITS];
	for (unsigned i = 0; i < NUNITS; i++) {
		names[i] = units[i].word;
		if (strcmp(units[i].word, word) != 0)
			continue;
		if (!ends_in(m->name, units[i].suffix))
			return fail(l, "values in %s become %s, so the name must end in %s%s: %s", word, units[i].unit,
			    units[i].suffix, m->type == METRIC_COUNTER ? "_total" : "", m->name);
		m->decimals = units[i].decimals;
		m->unit = strdup(units[i].unit);
		return m->unit || fail(l, "out of memory");
	}
	const char *near = near_miss(word, names, NUNITS);
	return fail(l, "unknown unit '%s'; there are ns, us, ms, s, bytes, percent%s%s%s", word,
	    near ? "; did you mean " : "", near ? near : "", near ? "?" : "");
}

static bool
read_range(struct metric_line *l, struct metric *m)
{
	const char *word = next(l);
	char *end;
	long long low = strtoll(word, &end, 10);
	bool ok = end != word && strncmp(end, "..", 2) == 0;
	const char *second = ok ? end + 2 : "";
	long long high = strtoll(second, &end, 10);
	if (!ok || end == second || *end || low >= high)
		return fail(
		    l, "buckets are given by two numbers in the unit of the values, such as buckets 1..1000000");
	if (m->type != METRIC_HISTOGRAM)
		return fail(l, "@%s has no buckets: it is %s()", m->agg, et_agg_name(m->fn));
	m->has_range = true;
	m->low = low;
	m->high = high;
	return true;
}

static bool
read_sum(struct metric_line *l, struct metric *m, const struct scanned_agg *of)
{
	const struct scanned_agg *a = agg_of(l, next(l));
	if (!a)
		return false;
	if (m->type != METRIC_HISTOGRAM)
		return fail(l, "only a histogram has a sum; @%s is %s()", m->agg, et_agg_name(m->fn));
	if (a->fn != ET_AGG_SUM)
		return fail(l, "@%s is %s(), not sum()", a->name, et_agg_name(a->fn));
	if (a->nkeys != of->nkeys)
		return fail(
		    l, "@%s has %u keys, @%s %u: the sum needs the same keys", a->name, a->nkeys, of->name, of->nkeys);
	m->sum = strdup(a->name);
	return m->sum || fail(l, "out of memory");
}

static bool
read_type(struct metric_line *l, struct metric *m)
{
	const char *word = next(l);
	if (m->type == METRIC_COUNTER && strcmp(word, "gauge") == 0 && m->fn == ET_AGG_SUM) {
		m->type = METRIC_GAUGE;
		return true;
	}
	if (strcmp(word, metric_type_name(m->type)) == 0)
		return true;
	return fail(l, "@%s is %s(), which makes a %s; only a sum() may be 'as gauge'", m->agg, et_agg_name(m->fn),
	    metric_type_name(m->type));
}

/* The name, without _total, which a counter must end in and others must not. */
static bool
read_name(struct metric_line *l, struct metric *m, bool as_gauge)
{
	const char *word = next(l);
	if (!name_is_metric(word))
		return fail(l, "'%s' cannot be the name of a metric: letters, digits and _", word);
	bool total = ends_in(word, "_total");
	if (m->type == METRIC_COUNTER && !as_gauge && !total)
		return fail(l, "@%s is %s(), which makes a counter, so its name must end in _total: %s_total", m->agg,
		    et_agg_name(m->fn), word);
	if ((m->type != METRIC_COUNTER || as_gauge) && total)
		return fail(
		    l, "'%s' ends in _total, which is for counters; @%s is %s()", word, m->agg, et_agg_name(m->fn));
	static const char *const ends[] = {"_bucket", "_count", "_sum", "_info", "_created"};
	for (unsigned i = 0; i < sizeof ends / sizeof *ends; i++)
		if (ends_in(word, ends[i]))
			return fail(l, "'%s' ends in %s, which has a meaning of its own", word, ends[i]);
	m->name = strndup(word, strlen(word) - (total ? strlen("_total") : 0));
	return m->name || fail(l, "out of memory");
}

static bool
read_words(struct metric_line *l, struct metric *m)
{
	static const char *const words[] = {"by", "in", "sum", "buckets", "as"};
	const struct scanned_agg *a = agg_of(l, next(l));
	if (!a)
		return false;
	m->fn = a->fn;
	m->type = type_of(a->fn);
	if (!(m->agg = strdup(a->name)))
		return fail(l, "out of memory");
	bool as_gauge = false;
	for (unsigned i = l->at; i + 1 < l->n; i++)
		as_gauge |= strcmp(l->words[i], "as") == 0 && strcmp(l->words[i + 1], "gauge") == 0;
	if (!read_name(l, m, as_gauge))
		return false;
	while (*peek(l)) {
		const char *word = next(l);
		bool ok = strcmp(word, "by") == 0        ? read_labels(l, m)
			  : strcmp(word, "in") == 0      ? read_unit(l, m)
			  : strcmp(word, "sum") == 0     ? read_sum(l, m, a)
			  : strcmp(word, "buckets") == 0 ? read_range(l, m)
			  : strcmp(word, "as") == 0      ? read_type(l, m)
							 : false;
		if (ok)
			continue;
		if (*l->s->why->text)
			return false;
		const char *near = near_miss(word, words, sizeof words / sizeof *words);
		return fail(l, "'%s' is not one of by, in, sum, buckets, as%s%s%s", word, near ? "; did you mean " : "",
		    near ? near : "", near ? "?" : "");
	}
	if (m->nlabels != a->nkeys)
		return fail(l, "@%s has %u key%s, but there %s %u label%s: by %s", a->name, a->nkeys,
		    a->nkeys == 1 ? "" : "s", m->nlabels == 1 ? "is" : "are", m->nlabels, m->nlabels == 1 ? "" : "s",
		    a->nkeys ? "a name for each" : "is not needed");
	return true;
}

static struct metric *
add_metric(struct metric_scan *s)
{
	struct metrics *m = s->m;
	struct metric *at = m->n < MOST_METRICS ? realloc(m->at, (m->n + 1) * sizeof *at) : NULL;
	if (!at) {
		why_set(s->why, "%s: too many metrics", s->name);
		return NULL;
	}
	m->at = at;
	at[m->n] = (struct metric){0};
	return &at[m->n++];
}

/* text is what follows @metric, up to the end of the line. */
static bool
read_line(struct metric_scan *s, unsigned number, char *text)
{
	struct metric_line l = {.s = s, .number = number};
	char *colon = strstr(text, ": "), *save = NULL;
	if (!colon)
		return fail(&l,
		    "a @metric line ends in a colon and what the metric is: @metric @calls shop_calls_total: Calls");
	*colon = '\0';
	for (char *w = strtok_r(text, " \t", &save); w; w = strtok_r(NULL, " \t", &save)) {
		if (l.n == MOST_WORDS)
			return fail(&l, "too many words");
		l.words[l.n++] = w;
	}
	struct metric *m = add_metric(s);
	if (!m || !read_words(&l, m))
		return false;
	const char *help = colon + 2 + strspn(colon + 2, " \t");
	m->help = strdup(help);
	if (!m->help)
		return fail(&l, "out of memory");
	if (!*help)
		return fail(&l, "what is this metric? Say it behind the colon");
	for (unsigned i = 0; i + 1 < s->m->n; i++)
		if (strcmp(s->m->at[i].name, m->name) == 0)
			return fail(&l, "the metric %s is there twice", m->name);
	return true;
}

bool
scan_share(const char *text, uint64_t *ns)
{
	char *end;
	double percent = strtod(text, &end);
	if (!isdigit((unsigned char)*text) || *end || !(percent >= 0.01 && percent <= 100))
		return false;
	*ns = (uint64_t)(percent * 1e7);
	return true;
}

/* Returns whether a word is the action alert(), or begins an alert over an aggregation. It may also be a name: of a
 * function in a description, of a variable, of an aggregation. `before` is what is in front of it. */
static bool
is_alert(const char *p, char before)
{
	if (is_word(before) || strchr("@:>.", before) || strncmp(p, "alert", 5) != 0 || is_word(p[5]))
		return false;
	p += 5 + strspn(p + 5, " \t\n");
	return *p == '(' || *p == '@' || is_word(*p);
}

bool
scan_alerts(const char *text)
{
	for (const char *p = text; *p;) {
		if (is_alert(p, p == text ? '\n' : p[-1]))
			return true;
		p = starts_text(p) ? skip_text(p) : p + 1;
	}
	return false;
}

/* text is what follows @share. */
static bool
read_share(struct metric_scan *s, unsigned number, const char *text)
{
	struct metric_line l = {.s = s, .number = number};
	text += strspn(text, " \t");
	if (s->m->share)
		return fail(&l, "there is a @share already");
	if (!scan_share(text, &s->m->share))
		return fail(&l, "a share is percent of a scheduler, from 0.01 to 100: @share 1");
	if (scan_alerts(s->text))
		return fail(&l, "a script that alerts cannot have a share: it would miss what happens while it rests");
	return true;
}

/* A line of a comment, from its first word on. */
static bool
read_comment_line(struct metric_scan *s, unsigned number, const char *at, const char *end)
{
	bool is_metric = strncmp(at, "@metric", 7) == 0, is_share = strncmp(at, "@share", 6) == 0;
	const char *rest = at + (is_metric ? 7 : 6);
	if ((!is_metric && !is_share) || (*rest != ' ' && *rest != '\t'))
		return true;
	while (end > rest && isspace((unsigned char)end[-1]))
		end--;
	char *line = strndup(rest, (size_t)(end - rest));
	bool ok = line && (is_metric ? read_line(s, number, line) : read_share(s, number, line));
	if (!line)
		why_set(s->why, "out of memory");
	free(line);
	return ok;
}

/* Looks for @metric and @share at the beginnings of the lines of a comment, which the end of the comment is not part
 * of. */
static bool
read_comment(struct metric_scan *s, const char *from, const char *to)
{
	unsigned number = 1;
	for (const char *p = s->text; p < from; p++)
		number += *p == '\n';
	if (to - from >= 4 && memcmp(to - 2, "*/", 2) == 0)
		to -= 2;
	for (const char *p = from; p < to; number++) {
		const char *end = memchr(p, '\n', (size_t)(to - p));
		end = end ? end : to;
		const char *at = p + strspn(p, " \t*/");
		if (at < end && !read_comment_line(s, number, at, end))
			return false;
		p = end + 1;
	}
	return true;
}

static bool
read_comments(struct metric_scan *s)
{
	for (const char *p = s->text; *p;) {
		const char *end = starts_text(p) ? skip_text(p) : p + 1;
		if (p[0] == '/' && p[1] == '*' && !read_comment(s, p, end))
			return false;
		p = end;
	}
	return true;
}

/* -- metrics of a script that names none -- */

static bool
derive(struct metric_scan *s)
{
	const char *slash = strrchr(s->name, '/'), *base = slash ? slash + 1 : s->name;
	struct sbuf whole = {0};
	for (unsigned i = 0; i < s->naggs; i++) {
		const struct scanned_agg *a = &s->aggs[i];
		if (!a->has_fn)
			continue;
		struct metric *m = add_metric(s);
		if (!m)
			return false;
		char *stem = strndup(base, strcspn(base, ".")), *script = stem ? name_made_of(stem) : NULL,
		     *agg = name_made_of(a->name);
		m->fn = a->fn;
		m->type = type_of(a->fn);
		m->agg = strdup(a->name);
		sb_clear(&whole);
		sb_printf(&whole, "erltrace_%s%s%s", script ? script : "", agg && *agg ? "_" : "", agg ? agg : "");
		m->name = strdup(whole.at ? whole.at : "");
		sb_clear(&whole);
		sb_printf(&whole, "%s() of @%s in %s", et_agg_name(a->fn), a->name, base);
		m->help = strdup(whole.at ? whole.at : "");
		bool ok = stem && script && agg && m->agg && m->name && m->help && !whole.failed;
		free(stem);
		free(script);
		free(agg);
		for (unsigned k = 0; ok && k < a->nkeys && k < EXP_LABELS; k++) {
			char key[16];
			snprintf(key, sizeof key, "key%u", k + 1);
			ok = (m->labels[k] = strdup(key)) != NULL;
			m->nlabels += ok;
		}
		if (!ok) {
			sb_free(&whole);
			why_set(s->why, "out of memory");
			return false;
		}
	}
	sb_free(&whole);
	return true;
}

bool
scan_metrics(struct metrics *m, const char *name, const char *text, struct why *why)
{
	struct metric_scan *s = calloc(1, sizeof *s);
	*m = (struct metrics){0};
	why->text[0] = '\0';
	if (!s) {
		why_set(why, "out of memory");
		return false;
	}
	s->name = name;
	s->text = text;
	s->m = m;
	s->why = why;
	read_code(s);
	bool ok = read_comments(s) && (m->n || derive(s));
	if (ok && !m->n && !scan_alerts(text)) {
		why_set(
		    why, "%s: the script aggregates nothing and alerts nobody, so there is nothing to export", name);
		for (unsigned i = 0; i < s->naggs; i++)
			add_said(why, &s->aggs[i]);
		ok = false;
	}
	free(s);
	if (!ok)
		metrics_free(m);
	return ok;
}
