/* Hash table with open addressing; near misses by edit distance. */
#include "base/strmap.h"

#include "base/hash.h"

void
sm_init(struct strmap *m, struct arena *ar)
{
	*m = (struct strmap){.ar = ar};
}

static struct sm_entry *
find(const struct strmap *m, const char *key, size_t len, unsigned hash)
{
	if (!m->nslots)
		return NULL;
	for (unsigned i = hash & (m->nslots - 1);; i = (i + 1) & (m->nslots - 1)) {
		unsigned at = m->slots[i];
		if (!at)
			return NULL;
		struct sm_entry *e = &m->entries[at - 1];
		if (e->hash == hash && e->len == len && memcmp(e->key, key, len) == 0)
			return e;
	}
}

void *
sm_get(const struct strmap *m, const char *key, size_t len)
{
	struct sm_entry *e = find(m, key, len, (unsigned)hash_bytes(key, len));
	return e ? e->val : NULL;
}

void *
sm_gets(const struct strmap *m, const char *key)
{
	return sm_get(m, key, strlen(key));
}

static void
index_entry(struct strmap *m, unsigned at)
{
	unsigned i = m->entries[at].hash & (m->nslots - 1);
	while (m->slots[i])
		i = (i + 1) & (m->nslots - 1);
	m->slots[i] = at + 1;
}

static void
rebuild(struct strmap *m)
{
	memset(m->slots, 0, m->nslots * sizeof *m->slots);
	for (unsigned i = 0; i < m->n; i++)
		index_entry(m, i);
}

void
sm_put(struct strmap *m, const char *key, size_t len, void *val)
{
	unsigned hash = (unsigned)hash_bytes(key, len);
	struct sm_entry *e = find(m, key, len, hash);
	if (e) {
		e->val = val;
		return;
	}
	if (m->n == m->cap) {
		unsigned cap = m->cap ? m->cap * 2 : 16;
		struct sm_entry *grown =
		    ar_grow(m->ar, m->entries, m->cap * sizeof *m->entries, cap * sizeof *m->entries);
		unsigned *slots = AR_NEWN(m->ar, unsigned, cap * 2);
		m->entries = grown;
		m->slots = slots;
		m->cap = cap;
		m->nslots = cap * 2;
		rebuild(m);
	}
	m->entries[m->n] = (struct sm_entry){key, len, hash, val};
	index_entry(m, m->n++);
}

void
sm_puts(struct strmap *m, const char *key, void *val)
{
	sm_put(m, key, strlen(key), val);
}

void
sm_truncate(struct strmap *m, unsigned n)
{
	if (n >= m->n)
		return;
	m->n = n;
	rebuild(m);
}

/* Damerau-Levenshtein distance, at most `limit` plus one. Compares bytes, case-sensitive. */
static unsigned
edit_distance(const char *a, const char *b, unsigned limit)
{
	enum { LONGEST = 64 };
	size_t la = strlen(a), lb = strlen(b);
	size_t apart = la > lb ? la - lb : lb - la;
	if (la > LONGEST || lb > LONGEST || apart > limit)
		return limit + 1;
	unsigned rows[3][LONGEST + 1];
	unsigned *before = rows[0], *prev = rows[1], *cur = rows[2];
	for (size_t j = 0; j <= lb; j++)
		prev[j] = (unsigned)j;
	for (size_t i = 1; i <= la; i++) {
		cur[0] = (unsigned)i;
		for (size_t j = 1; j <= lb; j++) {
			unsigned d = prev[j - 1] + (a[i - 1] != b[j - 1]);
			if (prev[j] + 1 < d)
				d = prev[j] + 1;
			if (cur[j - 1] + 1 < d)
				d = cur[j - 1] + 1;
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] && before[j - 2] + 1 < d)
				d = before[j - 2] + 1;
			cur[j] = d;
		}
		unsigned *t = before;
		before = prev;
		prev = cur;
		cur = t;
	}
	return prev[lb] > limit ? limit + 1 : prev[lb];
}

const char *
near_miss(const char *word, const char *const *candidates, size_t n)
{
	size_t len = strlen(word);
	unsigned limit = len < 3 ? 0 : len < 6 ? 1 : len < 10 ? 2 : 3;
	const char *best = NULL;
	unsigned best_d = limit + 1;
	for (size_t i = 0; i < n; i++) {
		unsigned d = edit_distance(word, candidates[i], limit);
		/* The word itself is not a miss. Of two that are equally near, the one of the same length wins:
		 * letters are more often swapped or mistyped than forgotten. */
		if (d && (d < best_d || (d == best_d && best && strlen(best) != len && strlen(candidates[i]) == len))) {
			best = candidates[i];
			best_d = d;
		}
	}
	return best;
}
