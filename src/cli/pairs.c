/*
 * `erltrace -N a -N b remote-latency`: how long messages take from node to node.
 *
 * The script (@pairs in its first comment) makes a record for each end of a message:
 *
 *	printf("%s %s to %s: %s\n", "sent" or "queued", KIND, NODE OF THE RECEIVER, TEXT WITH A REFERENCE)
 *
 * A reference is unique in its node, and so are kind, receiver's node and reference together. The nodes write the same
 * reference with different first numbers, #Ref<0.1.2.3> at home and #Ref<9871.1.2.3> elsewhere; the others are the
 * same. An end waits here for the other one, whichever comes first. At most WAITING wait; the oldest gives way and
 * counts as one that was not paired.
 *
 * Times of records are corrected by what is known of the clocks (et_clocks()). Both nodes may be wrong by their
 * uncertainty, so a latency may be wrong by the sum of both.
 */
#include "cli/cli.h"

#include "base/hash.h"
#include "base/sbuf.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum {
	WAITING = 1 << 16,
	SLOTS = 2 * WAITING,
	WORDS = 6, /* of a reference */
	FINE = 16, /* buckets for each power of two, for the percentiles: 6 % */
	BUCKETS = 61 * FINE,
	MOST_NODES = 2048,
	BAR = 40,
	NAME = 48,
};

/* Without padding: it is compared as bytes. */
struct pair_key {
	uint64_t rest; /* hash of the kind, and of the text around the reference */
	unsigned to;   /* node */
	unsigned nwords;
	uint32_t words[WORDS];
};

struct pair_end {
	struct pair_key key;
	bool used, is_sent;
	bool twice; /* the same end was seen again: which one the other end belongs to is not known */
	unsigned node;
	uint64_t time;
	unsigned next; /* in its slot; index plus one */
};

struct node_pair {
	uint64_t n, negative;
	int64_t least, most, sum; /* ns */
	uint64_t buckets[BUCKETS];
	uint64_t powers[64]; /* by power of two in us: [k] is from 2^(k-1) to 2^k - 1; [0] is below 1 us */
};

struct pair_node {
	char *name;
	int64_t ahead;
	uint64_t within;
	bool lost, is_asked;   /* et_clocks() knows it */
	struct node_pair **to; /* by node; may be NULL */
	unsigned nto;
};

struct pairs {
	bool json;
	bool failed; /* memory ran out */
	struct pair_end *ends;
	unsigned *slots; /* index plus one */
	unsigned oldest; /* which one gives way next */
	struct pair_node *nodes;
	unsigned nnodes;
	uint64_t only_sent, only_queued;
};

bool
cli_pairs_new(struct cli *c)
{
	struct pairs *p = calloc(1, sizeof *p);
	c->pairs = p;
	if (!p)
		return false;
	p->ends = calloc(WAITING, sizeof *p->ends);
	p->slots = calloc(SLOTS, sizeof *p->slots);
	return p->ends && p->slots;
}

void
cli_pairs_free(struct cli *c)
{
	struct pairs *p = c->pairs;
	c->pairs = NULL;
	if (!p)
		return;
	for (unsigned i = 0; i < p->nnodes; i++) {
		for (unsigned k = 0; k < p->nodes[i].nto; k++)
			free(p->nodes[i].to[k]);
		free(p->nodes[i].to);
		free(p->nodes[i].name);
	}
	free(p->nodes);
	free(p->ends);
	free(p->slots);
	free(p);
}

int
cli_pairs_check(struct cli *c)
{
	if (!c->pairs)
		return 0;
	c->pairs->json = c->output && strcmp(c->output, "json") == 0;
	if (c->nnodes >= 2 || c->join)
		return 0;
	cli_error(c,
	    "it measures messages between nodes, so it needs two at least: -N NODE -N NODE, --cluster NODE, or --join");
	return EXIT_USAGE;
}

/* -- nodes ------------------------------------------------------------------------------------------------------- */

/* Returns the number of a node, or UINT_MAX if there are too many or memory ran out. The name may have the quotes of an
 * atom. A node that lies may name any number of others. */
static unsigned
number_of(struct pairs *p, const char *text)
{
	char name[1024];
	size_t len = strlen(text), quotes = len > 1 && text[0] == '\'' && text[len - 1] == '\'';
	snprintf(name, sizeof name, "%.*s", (int)(len - 2 * quotes), text + quotes);
	for (unsigned i = 0; i < p->nnodes; i++)
		if (strcmp(p->nodes[i].name, name) == 0)
			return i;
	if (p->nnodes == MOST_NODES)
		return UINT_MAX;
	struct pair_node *more = realloc(p->nodes, (p->nnodes + 1) * sizeof *more);
	if (more)
		p->nodes = more;
	char *copy = more ? strdup(name) : NULL;
	if (!copy) {
		p->failed = true;
		return UINT_MAX;
	}
	p->nodes[p->nnodes] = (struct pair_node){.name = copy};
	return p->nnodes++;
}

static struct node_pair *
pair_of(struct pairs *p, unsigned from, unsigned to)
{
	struct pair_node *n = &p->nodes[from];
	if (to >= n->nto) {
		struct node_pair **more = realloc(n->to, (to + 1) * sizeof(struct node_pair *));
		if (!more)
			return NULL;
		memset(more + n->nto, 0, (to + 1 - n->nto) * sizeof(struct node_pair *));
		n->to = more;
		n->nto = to + 1;
	}
	if (!n->to[to])
		n->to[to] = calloc(1, sizeof *n->to[to]);
	return n->to[to];
}

/* -- latencies --------------------------------------------------------------------------------------------------- */

static unsigned
bucket_of(uint64_t v)
{
	if (v < FINE)
		return (unsigned)v;
	unsigned top = 63 - (unsigned)__builtin_clzll(v);
	return (top - 3) * FINE + (unsigned)(v >> (top - 4) & (FINE - 1));
}

/* The smallest value of a bucket. */
static uint64_t
edge_of(unsigned bucket)
{
	if (bucket < FINE)
		return bucket;
	return (uint64_t)(FINE + bucket % FINE) << (bucket / FINE - 1);
}

static void
measured(struct pairs *p, unsigned from, unsigned to, uint64_t sent, uint64_t queued)
{
	struct node_pair *m = pair_of(p, from, to);
	int64_t took = (int64_t)(queued - sent);
	if (!m) {
		p->failed = true;
		return;
	}
	if (!m->n || took < m->least)
		m->least = took;
	if (!m->n || took > m->most)
		m->most = took;
	m->n++;
	m->negative += took < 0;
	m->sum += took;
	uint64_t ns = took < 0 ? 0 : (uint64_t)took, micros = ns / 1000;
	m->buckets[bucket_of(ns)]++;
	m->powers[micros ? 64 - __builtin_clzll(micros) : 0]++;
}

/* What so many of a hundred messages did not exceed; at most 6 % too much. */
static int64_t
percentile(const struct node_pair *m, unsigned percent)
{
	uint64_t want = (m->n * percent + 99) / 100, seen = 0;
	for (unsigned i = 0; i < BUCKETS - 1; i++) {
		seen += m->buckets[i];
		if (seen >= want) {
			int64_t high = (int64_t)edge_of(i + 1) - 1;
			return high < m->most ? high : m->most;
		}
	}
	return m->most;
}

/* -- the ends of messages ---------------------------------------------------------------------------------------- */

static unsigned *
slot_of(const struct pairs *p, const struct pair_key *key)
{
	return &p->slots[hash_bytes(key, sizeof *key) & (SLOTS - 1)];
}

static void
forget(struct pairs *p, unsigned index)
{
	unsigned *at = slot_of(p, &p->ends[index].key);
	while (*at && *at != index + 1)
		at = &p->ends[*at - 1].next;
	if (*at)
		*at = p->ends[index].next;
	p->ends[index].used = false;
}

static void
not_paired(struct pairs *p, const struct pair_end *e)
{
	if (e->is_sent)
		p->only_sent++;
	else
		p->only_queued++;
}

static void
wait_for_other(struct pairs *p, const struct pair_end *e)
{
	unsigned index = p->oldest;
	p->oldest = (p->oldest + 1) % WAITING;
	if (p->ends[index].used) {
		not_paired(p, &p->ends[index]);
		forget(p, index);
	}
	unsigned *slot = slot_of(p, &e->key);
	p->ends[index] = *e;
	p->ends[index].used = true;
	p->ends[index].next = *slot;
	*slot = index + 1;
}

static void
seen(struct pairs *p, const struct pair_end *e)
{
	for (unsigned i = *slot_of(p, &e->key); i; i = p->ends[i - 1].next) {
		struct pair_end *other = &p->ends[i - 1];
		if (memcmp(&other->key, &e->key, sizeof e->key) != 0)
			continue;
		if (other->is_sent == e->is_sent) {
			not_paired(p, e);
			other->twice = true;
			return;
		}
		const struct pair_end *sent = e->is_sent ? e : other, *queued = e->is_sent ? other : e;
		if (other->twice) {
			not_paired(p, sent);
			not_paired(p, queued);
		} else
			measured(p, sent->node, e->key.to, sent->time, queued->time);
		forget(p, i - 1);
		return;
	}
	wait_for_other(p, e);
}

/* Reads the words of the first reference in the text, without the first, which is the reader's number of the node. The
 * text around it counts too: an answer of multi_call() has {Reference, Node}. */
static bool
read_reference(const char *kind, const char *text, struct pair_key *key)
{
	const char *begin = strstr(text, "#Ref<"), *s = begin ? strchr(begin, '.') : NULL;
	while (s && *s == '.' && key->nwords < WORDS) {
		char *end;
		unsigned long word = strtoul(s + 1, &end, 10);
		if (end == s + 1 || word > UINT32_MAX)
			return false;
		key->words[key->nwords++] = (uint32_t)word;
		s = end;
	}
	if (!s || *s != '>' || !key->nwords)
		return false;
	char around[1024];
	int len = snprintf(around, sizeof around, "%s %.*s#%s", kind, (int)(begin - text), text, s);
	if (len < 0 || (size_t)len >= sizeof around)
		return false;
	key->rest = hash_bytes(around, (size_t)len);
	return true;
}

enum et_consume
cli_on_pair(const struct et_probedata *d, const struct et_recdata *rec, void *cli)
{
	struct pairs *p = ((struct cli *)cli)->pairs;
	const char *v[4];
	if (!rec || strcmp(rec->action, "printf") != 0 || rec->nvalues != 4 || !d->node)
		return ET_CONSUME_THIS;
	for (unsigned i = 0; i < 4; i++) {
		if (rec->values[i].kind != ET_K_STRING)
			return ET_CONSUME_THIS;
		v[i] = rec->values[i].data;
	}
	struct pair_end e = {.is_sent = strcmp(v[0], "sent") == 0, .time = d->timestamp};
	if (!read_reference(v[1], v[3], &e.key))
		return ET_CONSUME_NEXT; /* a list or a tuple of something else */
	e.key.to = number_of(p, v[2]);
	e.node = number_of(p, d->node);
	if (e.key.to != UINT_MAX && e.node != UINT_MAX)
		seen(p, &e);
	return p->failed ? ET_CONSUME_ABORT : ET_CONSUME_NEXT;
}

/* -- what is shown ----------------------------------------------------------------------------------------------- */

static void
note_clock(const struct et_clock *clock, void *arg)
{
	struct pairs *p = arg;
	unsigned i = number_of(p, clock->node);
	if (i == UINT_MAX)
		return;
	/* a node that was lost and is back has two: the later one is the newer */
	p->nodes[i].ahead = clock->ahead;
	p->nodes[i].within = clock->within;
	p->nodes[i].lost = clock->lost;
	p->nodes[i].is_asked = true;
}

/* Rounded away from zero: an uncertainty is not made smaller. */
static int64_t
us(int64_t ns)
{
	return ns < 0 ? (ns - 999) / 1000 : (ns + 999) / 1000;
}

static void
show_clocks(const struct pairs *p, struct sbuf *b)
{
	sb_printf(b, "%-*s %18s %16s\n", NAME, "CLOCK OF", "AHEAD us", "GIVE OR TAKE us");
	for (unsigned i = 0; i < p->nnodes; i++) {
		const struct pair_node *n = &p->nodes[i];
		if (n->is_asked)
			sb_printf(b, "%-*s %18" PRId64 " %16" PRId64 "%s\n", NAME, n->name, n->ahead / 1000,
			    us((int64_t)n->within),
			    n->lost     ? "  (lost)"
			    : n->within ? ""
					: "  (ours)");
	}
}

static void
show_bars(const struct node_pair *m, struct sbuf *b)
{
	unsigned first = 0, last = 63;
	while (first < 63 && !m->powers[first])
		first++;
	while (last > first && !m->powers[last])
		last--;
	sb_printf(b, "%16s  ------------- Distribution ------------- count\n", "us");
	for (unsigned k = first > 0 ? first - 1 : 0; k <= last + 1 && k < 64; k++) {
		unsigned bar = (unsigned)(m->powers[k] * BAR / m->n);
		sb_printf(b, "%16" PRIu64 " |", k ? UINT64_C(1) << (k - 1) : 0);
		sb_fill(b, '@', bar);
		sb_fill(b, ' ', BAR - bar);
		sb_printf(b, " %" PRIu64 "\n", m->powers[k]);
	}
}

static const struct node_pair *
pair_at(const struct pairs *p, unsigned from, unsigned to)
{
	const struct node_pair *m = to < p->nodes[from].nto ? p->nodes[from].to[to] : NULL;
	return m && m->n ? m : NULL;
}

static void
show_pairs(const struct pairs *p, struct sbuf *b)
{
	bool any = false;
	sb_printf(b, "\n%-*s %9s %9s %9s %9s %9s %16s\n", NAME, "FROM -> TO", "MESSAGES", "LEAST us", "MEDIAN us",
	    "99% us", "MOST us", "GIVE OR TAKE us");
	for (unsigned i = 0; i < p->nnodes; i++)
		for (unsigned k = 0; k < p->nodes[i].nto; k++) {
			const struct node_pair *m = pair_at(p, i, k);
			if (!m)
				continue;
			any = true;
			size_t before = b->len;
			sb_printf(b, "%s -> %s", p->nodes[i].name, p->nodes[k].name);
			sb_fill(b, ' ', b->len - before < NAME ? NAME - (b->len - before) : 0);
			sb_printf(b,
			    " %9" PRIu64 " %9" PRId64 " %9" PRId64 " %9" PRId64 " %9" PRId64 " %16" PRId64 "\n", m->n,
			    m->least / 1000, percentile(m, 50) / 1000, percentile(m, 99) / 1000, m->most / 1000,
			    us((int64_t)(p->nodes[i].within + p->nodes[k].within)));
		}
	if (!any)
		sb_adds(b, "(no call from one of these nodes to another was seen from its beginning to its end)\n");
	for (unsigned i = 0; i < p->nnodes; i++)
		for (unsigned k = 0; k < p->nodes[i].nto; k++) {
			const struct node_pair *m = pair_at(p, i, k);
			if (!m)
				continue;
			sb_printf(b, "\n  %s -> %s\n", p->nodes[i].name, p->nodes[k].name);
			show_bars(m, b);
		}
}

static void
json_name(struct sbuf *b, const char *key, const char *name)
{
	sb_printf(b, ",\"%s\":\"", key);
	for (; *name; name++)
		if (*name == '"' || *name == '\\' || (unsigned char)*name < 32)
			sb_printf(b, "\\u%04x", (unsigned char)*name);
		else
			sb_addc(b, *name);
	sb_addc(b, '"');
}

static void
json_pair(const struct pairs *p, unsigned from, unsigned to, const struct node_pair *m, struct sbuf *b)
{
	const char *comma = "";
	sb_adds(b, "{\"type\":\"latency\"");
	json_name(b, "from", p->nodes[from].name);
	json_name(b, "to", p->nodes[to].name);
	sb_printf(b,
	    ",\"messages\":%" PRIu64 ",\"negative\":%" PRIu64 ",\"least\":%" PRId64 ",\"median\":%" PRId64
	    ",\"p99\":%" PRId64 ",\"most\":%" PRId64 ",\"sum\":%" PRId64 ",\"within\":%" PRIu64 ",\"buckets\":[",
	    m->n, m->negative, m->least, percentile(m, 50), percentile(m, 99), m->most, m->sum,
	    p->nodes[from].within + p->nodes[to].within);
	for (unsigned i = 0; i < BUCKETS; i++)
		if (m->buckets[i]) {
			sb_printf(b, "%s{\"low\":%" PRIu64 ",\"high\":%" PRIu64 ",\"count\":%" PRIu64 "}", comma,
			    edge_of(i), edge_of(i + 1) - 1, m->buckets[i]);
			comma = ",";
		}
	sb_adds(b, "]}\n");
}

static void
show_json(const struct pairs *p, struct sbuf *b)
{
	for (unsigned i = 0; i < p->nnodes; i++) {
		if (!p->nodes[i].is_asked)
			continue;
		sb_adds(b, "{\"type\":\"clock\"");
		json_name(b, "node", p->nodes[i].name);
		sb_printf(b, ",\"ahead\":%" PRId64 ",\"within\":%" PRIu64 ",\"lost\":%s}\n", p->nodes[i].ahead,
		    p->nodes[i].within, p->nodes[i].lost ? "true" : "false");
	}
	for (unsigned i = 0; i < p->nnodes; i++)
		for (unsigned k = 0; k < p->nodes[i].nto; k++)
			if (pair_at(p, i, k))
				json_pair(p, i, k, pair_at(p, i, k), b);
	sb_printf(
	    b, "{\"type\":\"unpaired\",\"sent\":%" PRIu64 ",\"queued\":%" PRIu64 "}\n", p->only_sent, p->only_queued);
}

bool
cli_pairs_show(struct cli *c)
{
	struct pairs *p = c->pairs;
	struct sbuf b = {0};
	for (unsigned i = 0; i < WAITING; i++)
		if (p->ends[i].used) {
			not_paired(p, &p->ends[i]);
			forget(p, i);
		}
	et_clocks(c->h, note_clock, p);
	if (p->json)
		show_json(p, &b);
	else {
		show_clocks(p, &b);
		show_pairs(p, &b);
		if (p->only_sent || p->only_queued)
			sb_printf(&b,
			    "\n%" PRIu64 " messages were seen only where they were sent, %" PRIu64
			    " only where they arrived.\n",
			    p->only_sent, p->only_queued);
	}
	bool ok = !b.failed && !p->failed;
	if (ok)
		cli_put(c, c->out, b.at, b.len);
	sb_free(&b);
	return ok;
}
