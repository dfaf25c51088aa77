/*
 * strmap: a hash table from byte strings to pointers, kept in an arena.
 * Keys are not copied: they must live as long as the map. Entries keep their
 * order of insertion (sm_at), so that listings are stable.
 */
#ifndef ET_BASE_STRMAP_H
#define ET_BASE_STRMAP_H

#include "base/arena.h"

struct sm_entry {
	const char *key;
	size_t len;
	unsigned hash;
	void *val; /* NULL if removed */
};

struct strmap {
	struct arena *ar;
	struct sm_entry *entries; /* in order of insertion */
	unsigned n, cap;
	unsigned *slots; /* open addressing: index into entries plus one; 0 if free */
	unsigned nslots;
};

void sm_init(struct strmap *m, struct arena *ar);
void *sm_get(const struct strmap *m, const char *key, size_t len);
void *sm_gets(const struct strmap *m, const char *key);
/* Adds or replaces. */
void sm_put(struct strmap *m, const char *key, size_t len, void *val);
void sm_puts(struct strmap *m, const char *key, void *val);
/* Forgets all entries from position n on: undoes insertions. */
void sm_truncate(struct strmap *m, unsigned n);

/*
 * Returns the candidate nearest to `word` by edit distance, or NULL if none is near enough to be what the user meant.
 */
const char *near_miss(const char *word, const char *const *candidates, size_t n);

#endif
