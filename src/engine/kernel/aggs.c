/*
 * Aggregations in the kernel: their tables, and taking them out.
 *
 * Each has sets, of which the programs add to one. A snapshot lets them add to the next one, waits for those that may
 * still be at work in the others, and empties these. A cut (ENG_CUT_OF) goes on to the next set as well, in the kernel:
 * if all others wait to be emptied there is none, and what comes after it is shown with what came before. Everything is
 * mapped into this process.
 *
 * With keys: the tuple's hash leads through the index to a slot, the slot holds the tuple, and each CPU has values of
 * its own for each slot (rt_agg.bpf.h). Without: each state of a firing has a value of its own, so that nobody else
 * touches it meanwhile.
 *
 * Values are in a map for each aggregation. But a program can have 64 maps only, so of many aggregations those with
 * values of about the same size share one, each with a part of its own.
 */
#include "engine/kernel/kern.h"

#include "object/aggval.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MAX_PERCPU = 32 << 10, MIN_ENTRIES = 8 };
/* More aggregations than MAX_ALONE share maps, of SHARED_BYTES at most: older kernels have no larger ones than 4 GiB.
 */
#ifdef ET_TINY
enum { MAX_ALONE = 2, SHARED_BYTES = 1 << 20 };
#else
enum { MAX_ALONE = 32, SHARED_BYTES = 1 << 30 };
#endif

static size_t
whole_pages(size_t n)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	return (n + page - 1) & ~(page - 1);
}

/* Values that share a map have the next power of two words each: so there are few sizes. */
static uint32_t
stride_of(const struct kernel_engine *e, const struct kagg *a)
{
	uint32_t n = 1;
	if (e->o->naggs <= MAX_ALONE)
		return a->nwords;
	while (n < a->nwords)
		n *= 2;
	return n;
}

/* Computes where everything is, from the sizes. */
void
kern_aggs_layout(struct kernel_engine *e)
{
	e->nsets = RT_SETS;
	for (uint32_t i = 0; i < e->o->nclauses; i++)
		if (dobj_cuts(e->o, &e->o->clauses[i]))
			e->nsets = RT_SETS_CUTS;
	uint64_t index = (uint64_t)e->nsets * e->o->naggs,
		 lines = 0; /* the index begins with the numbers of used slots */
	for (uint32_t i = 0; i < e->o->naggs; i++) {
		struct kagg *a = &e->aggs[i];
		a->stride = stride_of(e, a);
		uint64_t each = a->keybytes + a->stride * 8 + 64, n = e->conf.aggsize / e->o->naggs / each;
		bool percpu = a->nwords * 8 <= MAX_PERCPU;
		a->entries = 1;
		a->copies = e->ncpus * RT_LEVELS;
		if (a->nkeys) {
			a->entries = n < MIN_ENTRIES ? MIN_ENTRIES : n > 1u << 24 ? 1u << 24 : (uint32_t)n;
			a->copies = percpu ? e->ncpus : 1;
			a->per = 1 + (a->keybytes > 56 ? (a->keybytes - 56 + 63) / 64 : 0);
			a->mask = 1;
			while (a->mask < 2 * a->entries)
				a->mask *= 2;
			a->mask--;
			a->index = (uint32_t)index;
			a->lines = (uint32_t)lines;
			index += (uint64_t)e->nsets * (a->mask + 1);
			lines += (uint64_t)e->nsets * a->entries * a->per;
		} else if (!percpu) {
			a->copies = 1;
		}
	}
	e->nindex = index;
	e->nlines = lines;
}

static void *
map_whole(int fd, size_t bytes)
{
	void *p = mmap(NULL, whole_pages(bytes), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	return p == MAP_FAILED ? NULL : p;
}

static size_t
aggmap_bytes(const struct kaggmap *m)
{
	return (size_t)m->elements * m->stride * 8;
}

/* Returns false with errno. */
static bool
make_tables(struct kernel_engine *e)
{
	struct map_def index = {BPF_MAP_TYPE_ARRAY, 4, 8, (uint32_t)e->nindex, BPF_F_MMAPABLE, "agg_index"};
	struct map_def lines = {
	    BPF_MAP_TYPE_ARRAY, 4, sizeof(struct rt_line), (uint32_t)e->nlines, BPF_F_MMAPABLE, "agg_tuples"};
	struct map_def desc = {BPF_MAP_TYPE_ARRAY, 4, sizeof(struct rt_agg), e->nsets * e->o->naggs, 0, "agg_tables"};
	if (e->nindex > UINT32_MAX || e->nlines > UINT32_MAX) {
		errno = E2BIG;
		return false;
	}
	if ((e->maps[RT_M_INDEX] = sys_map_create(&index)) < 0 || (e->maps[RT_M_LINES] = sys_map_create(&lines)) < 0 ||
	    (e->maps[RT_M_AGGS] = sys_map_create(&desc)) < 0)
		return false;
	e->agg_index = map_whole(e->maps[RT_M_INDEX], (size_t)e->nindex * 8);
	e->agg_lines = map_whole(e->maps[RT_M_LINES], (size_t)e->nlines * sizeof(struct rt_line));
	if (!e->agg_index || !e->agg_lines)
		return false;
	for (uint32_t i = 0; i < e->nsets * e->o->naggs; i++) {
		const struct kagg *a = &e->aggs[i / e->nsets];
		uint32_t set = i % e->nsets;
		struct rt_agg d = {.index = a->index + set * (a->mask + 1),
		    .mask = a->mask,
		    .lines = a->lines + set * a->entries * a->per,
		    .per = a->per,
		    .entries = a->nkeys ? a->entries : 0};
		if (sys_map_update(e->maps[RT_M_AGGS], &i, &d, 0) < 0)
			return false;
	}
	return true;
}

/* a->map: the number of the map that its values will be in, one with room for them or a new one. */
static void
find_room(struct kernel_engine *e, struct kagg *a)
{
	uint64_t n = (uint64_t)e->nsets * a->copies * a->entries;
	uint32_t i = e->o->naggs > MAX_ALONE ? 0 : e->naggmaps;
	while (i < e->naggmaps &&
	       (e->aggmaps[i].stride != a->stride || (e->aggmaps[i].elements + n) * a->stride * 8 > SHARED_BYTES))
		i++;
	if (i == e->naggmaps)
		e->aggmaps[e->naggmaps++] = (struct kaggmap){.fd = -1, .stride = a->stride};
	a->map = (int)i;
	a->base = (uint32_t)e->aggmaps[i].elements;
	e->aggmaps[i].elements += n;
}

bool
kern_aggs_make(struct kernel_engine *e)
{
	if (e->nlines && !make_tables(e))
		return false;
	if (!(e->aggmaps = calloc(e->o->naggs + 1, sizeof *e->aggmaps)))
		return false;
	for (uint32_t i = 0; i < e->o->naggs; i++)
		find_room(e, &e->aggs[i]);
	for (uint32_t i = 0; i < e->naggmaps; i++) {
		struct kaggmap *m = &e->aggmaps[i];
		struct map_def d = {
		    BPF_MAP_TYPE_ARRAY, 4, m->stride * 8, (uint32_t)m->elements, BPF_F_MMAPABLE, "aggregation"};
		if (m->elements > UINT32_MAX) {
			errno = E2BIG;
			return false;
		}
		if ((m->fd = sys_map_create(&d)) < 0 || !(m->words = map_whole(m->fd, aggmap_bytes(m))))
			return false;
	}
	for (uint32_t i = 0; i < e->o->naggs; i++) {
		struct kagg *a = &e->aggs[i];
		const struct kaggmap *m = &e->aggmaps[a->map];
		a->map = m->fd;
		a->words = m->words + (size_t)a->base * a->stride;
	}
	return true;
}

void
kern_aggs_free(struct kernel_engine *e)
{
	for (uint32_t i = 0; i < e->naggmaps; i++) {
		struct kaggmap *m = &e->aggmaps[i];
		if (m->words)
			munmap(m->words, whole_pages(aggmap_bytes(m)));
		if (m->fd >= 0)
			close(m->fd);
	}
	free(e->aggmaps);
	e->aggmaps = NULL;
	e->naggmaps = 0;
	if (e->agg_index)
		munmap(e->agg_index, whole_pages((size_t)e->nindex * 8));
	if (e->agg_lines)
		munmap(e->agg_lines, whole_pages((size_t)e->nlines * sizeof(struct rt_line)));
	free(e->aggs);
	e->aggs = NULL;
}

/* ---- taking out ---- */

static void
snap_one(struct kernel_engine *e, unsigned agg, unsigned set, uint64_t cut, kern_snap_fn *fn, void *arg)
{
	static const uint64_t none = 0;
	struct kagg *a = &e->aggs[agg];
	uint64_t *used = a->nkeys ? &e->agg_index[e->nsets * agg + set] : NULL;
	uint64_t n = used ? *used : 1;
	if (n > a->entries)
		n = a->entries;
	for (uint64_t slot = 0; slot < n; slot++) {
		const uint64_t *key = &none; /* without keys: zero bytes */
		uint64_t len = 0;
		if (used) {
			/* The length, then the words, which go on in the lines that follow. */
			key = e->agg_lines[a->lines + (set * a->entries + slot) * a->per].w;
			len = *key++;
			if (len > a->keybytes)
				len = a->keybytes;
		}
		for (uint32_t copy = 0; copy < a->copies; copy++) {
			uint64_t *words = a->words + (((size_t)set * a->copies + copy) * a->entries + slot) * a->stride;
			if (words[0])
				fn(arg, agg | (unsigned)(uint16_t)cut << 16, key, len, words);
		}
	}
	for (uint32_t copy = 0; n && copy < a->copies; copy++)
		memset(a->words + ((size_t)set * a->copies + copy) * a->entries * a->stride, 0, n * a->stride * 8);
	if (used && n) {
		memset(e->agg_index + a->index + (size_t)set * (a->mask + 1), 0, ((size_t)a->mask + 1) * 8);
		*used = 0;
	}
}

static uint64_t
sets_of(uint64_t active)
{
	return active & (((uint64_t)1 << RT_CUT_SHIFT) - 1);
}

/* Goes on to the next set if it is empty. *active is what was used until then. */
static bool
next_set(struct kernel_engine *e, uint64_t *active)
{
	*active = __atomic_load_n(&e->ctl->active, __ATOMIC_ACQUIRE);
	do
		if (sets_of(*active) - e->ctl->emptied >= e->nsets - 1)
			return false;
	while (!__atomic_compare_exchange_n(
	    &e->ctl->active, active, *active + 1, false, __ATOMIC_SEQ_CST, __ATOMIC_ACQUIRE));
	return true;
}

/* Each set since the last time is one cut later than the one before; only the last step is ours. */
void
kern_snap(struct engine *engine, kern_snap_fn *fn, void *arg)
{
	struct kernel_engine *e = kernel_of(engine);
	bool all = !e->o->naggs;
	while (!all) {
		uint64_t active, set = e->ctl->emptied;
		all = next_set(e, &active);
		kern_wait(e);
		for (; set < sets_of(active) + all; set++, e->cut++)
			for (unsigned i = 0; i < e->o->naggs; i++)
				snap_one(e, i, (unsigned)set & (e->nsets - 1), e->cut, fn, arg);
		e->cut = active >> RT_CUT_SHIFT;
		__atomic_store_n(&e->ctl->emptied, set, __ATOMIC_RELEASE);
	}
}
