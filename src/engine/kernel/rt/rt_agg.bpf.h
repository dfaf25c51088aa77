/*
 * Aggregations with keys: a part of rt.bpf.c.
 *
 * The tuple is in RT_KEY, packed as in key.h, so only its actual bytes are hashed and compared. The index leads from
 * its hash to a slot, which holds the tuple. The values of a slot are in a separate map, for each CPU. All are arrays,
 * which the kernel looks up without a call. Slots are given out in order and never taken back: this process empties the
 * whole table when no firing uses it any more. Two firings that add the same new key at once may get two slots for it.
 * The consumer merges these, as it does with those of several CPUs.
 */
enum { PROBES = 32, FIRST_WORDS = 7 };

/* ---- tuples ---- */

/* Clears the lowest zero byte of a word and everything above it. `zero` gets 0x80 at that byte. */
inline_ u64
up_to_nul(u64 w, u64 *zero)
{
	*zero = (w - 0x0101010101010101ull) & ~w & 0x8080808080808080ull;
	return *zero ? w & ((*zero & -*zero) - 1) : w;
}

/* Writes the name of the process, directly from the kernel's memory. Returns 0 if it cannot be read. */
inline_ u64
put_execname(struct rt *st, u64 to)
{
	u64 w[2], leader, zero, end;
	if (CONST(TASK_LEADER) == ~0ull || read_kernel(&leader, 8, task_of(st) + CONST(TASK_LEADER)) ||
	    read_kernel(w, sizeof w, leader + CONST(TASK_COMM)))
		return 0;
	*(u64 *)AT(st, to) = up_to_nul(w[0], &zero);
	if (zero)
		return 8;
	end = to + 8;
	HIDE(end);
	*(u64 *)AT(st, end) = up_to_nul(w[1], &zero) & ~0ull >> 8;
	return 16;
}

/* The running process as a key: words up to the one with its NUL, and only zeroes after that. Returns the bytes. */
inline_ u64
put_eproc(struct rt *st, u64 to)
{
	u64 n = 0, zero = 0;
	rt_owner(st);
	if (!st->node.process)
		st->node.eproc[0] = 0;
	for (u32 i = 0; i < NODE_EPROC / 8 && !zero; i++) {
		*(u64 *)AT(st, to) = up_to_nul(*(u64 *)&st->node.eproc[8 * i], &zero);
		to += 8;
		HIDE(to);
		n += 8;
	}
	return n;
}

/* Writes a string of at most `most` bytes at offset `at` of the tuple. st->klen becomes where the tuple goes on. */
fn_ u64
rt_key_str(struct rt *st, u64 at, u64 addr, u64 most)
{
	u64 fault, n, to = RT_KEY + at;
	if (!st)
		return 0;
	if (addr == ADDR(R_BUILTIN, (u64)DIF_BI_EXECNAME << 40) && most >= 15 && CONST(STRSIZE) >= 16 &&
	    (n = put_execname(st, to))) {
		st->klen = at + n;
		return 0;
	}
	if (addr == ADDR(R_BUILTIN, (u64)DIF_BI_EPROC << 40) && most >= NODE_EPROC && CONST(STRSIZE) > NODE_EPROC) {
		st->klen = at + put_eproc(st, to);
		return 0;
	}
	/* The length of the last string that was made is known, and zeroes follow it. */
	if (addr == st->str_at && addr && st->str_len <= most && st->str_len < 8 * 8) {
		u64 from = RT_SCRATCH + (addr & 0xffffffff);
		n = st->str_len / 8 + 1;
		HIDE(n);
#pragma clang loop unroll(disable)
		for (u32 i = 0; i < 8; i++) {
			if (i >= n)
				break;
			*(u64 *)AT(st, to) = *(u64 *)AT(st, from);
			to += 8;
			from += 8;
		}
		st->klen = at + 8 * n;
		return 0;
	}
	if ((fault = rt_strn(st, to, addr, most)))
		return fault;
	st->klen = at + ((st->len + 8) & ~7ull);
	return 0;
}

/* ---- the table ---- */

struct walk {
	struct rt *st;
	u64 line, words, found, h;
};

static long
hash_word(u32 i, void *ctx)
{
	struct walk *w = ctx;
	w->h = (w->h ^ *(u64 *)AT(w->st, RT_KEY + 8 * (u64)i)) * 0x9e3779b97f4a7c15ull;
	w->h ^= w->h >> 29;
	return 0;
}

inline_ u64
hash(struct rt *st, u64 len)
{
	u64 n = len / 8;
	if (n > 32) {
		struct walk w = {.st = st, .h = len};
		loop(n & (RT_KEY_MAX / 4 - 1), hash_word, &w, 0);
		return w.h;
	}
	u64 h = len;
	HIDE(n);
#pragma clang loop unroll(disable)
	for (u32 i = 0; i < 32; i++) {
		if (i >= n)
			break;
		h = (h ^ *(u64 *)&st->mem[RT_KEY + 8 * i]) * 0x9e3779b97f4a7c15ull;
		h ^= h >> 29;
	}
	return h;
}

/* Of the lines of a tuple, for the verifier: twice as many as there can be. */
enum { LINES_MASK = RT_KEY_MAX / 32 - 1 };

/* Compares line i of a slot's tuple with ours. The first line holds the length and FIRST_WORDS words. */
static long
same_line(u32 i, void *ctx)
{
	struct walk *w = ctx;
	u32 n = w->line + 1 + i;
	u64 from = FIRST_WORDS + 8 * (u64)i;
	struct rt_line *line = map_lookup(MAP(LINES), &n);
	for (u32 k = 0; line && k < 8; k++)
		if (from + k < w->words && *(u64 *)AT(w->st, RT_KEY + 8 * (from + k)) != line->w[k])
			line = 0;
	if (line)
		return 0;
	w->found = 0;
	return 1;
}

fn_ u64
rt_agg_same(struct rt *st, u64 line, u64 len)
{
	if (!st)
		return 0;
	struct walk w = {.st = st, .line = line, .words = len / 8, .found = 1};
	loop((w.words - FIRST_WORDS + 7) / 8 & LINES_MASK, same_line, &w, 0);
	return w.found;
}

static long
copy_line(u32 i, void *ctx)
{
	struct walk *w = ctx;
	u32 n = w->line + 1 + i;
	u64 from = FIRST_WORDS + 8 * (u64)i;
	struct rt_line *line = map_lookup(MAP(LINES), &n);
	if (!line)
		return 1;
	/* Words behind the tuple are copied too, but mean nothing. */
	for (u32 k = 0; k < 8; k++)
		line->w[k] = *(u64 *)AT(w->st, RT_KEY + 8 * (from + k));
	return 0;
}

/* Makes a new slot for the tuple; the free element `at` of the index will lead to it. Returns its number plus one,
 * or 0 if none is left. */
fn_ u64
rt_agg_insert(struct rt *st, u32 table, u64 len, u32 at, u64 h)
{
	if (!st)
		return 0;
	struct rt_agg *a = map_lookup(MAP(AGGS), &table);
	u64 *used = map_lookup(MAP(INDEX), &table), *e = map_lookup(MAP(INDEX), &at);
	if (!a || !used || !e)
		return 0;
	u64 slot = *used < a->entries ? __sync_fetch_and_add(used, 1) : a->entries;
	if (slot >= a->entries)
		return 0;
	u32 first = a->lines + slot * a->per;
	struct rt_line *line = map_lookup(MAP(LINES), &first);
	if (!line)
		return 0;
	line->w[0] = len;
	for (u32 k = 0; k < FIRST_WORDS; k++)
		line->w[1 + k] = *(u64 *)&st->mem[RT_KEY + 8 * k];
	if (len > 8 * FIRST_WORDS) {
		struct walk w = {.st = st, .line = first};
		loop((len / 8 - FIRST_WORDS + 7) / 8 & LINES_MASK, copy_line, &w, 0);
	}
	/* If another firing was quicker, this slot is used only this once. */
	__sync_val_compare_and_swap(e, 0, (h & ~0xffffffffull) | (slot + 1));
	return slot + 1;
}

/* A copy that the verifier does not connect with the number itself. Otherwise what each branch tells it of the length
 * would hold for the length in all that follows, which it would look at once for each. */
inline_ u64
apart(u64 n)
{
	n ^= 1;
	HIDE(n);
	return n ^ 1;
}

/* Returns the slot of the tuple of len bytes: its number plus one, or 0 if there is no room for it, which is
 * counted. */
fn_ u64
rt_agg_find(struct rt *st, u32 table, u64 len)
{
	if (!st)
		return 0;
	struct rt_agg *a = map_lookup(MAP(AGGS), &table);
	if (!a)
		return 0;
	u64 h = hash(st, len), slot = 0;
#pragma clang loop unroll(disable)
	for (u32 i = 0; i < PROBES; i++) {
		u32 at = a->index + ((u32)(h + i) & a->mask);
		u64 *e = map_lookup(MAP(INDEX), &at);
		if (!e)
			break;
		u64 v = *e;
		if (!v) {
			slot = rt_agg_insert(st, table, len, at, h);
			break;
		}
		if ((v ^ h) >> 32)
			continue;
		u32 first = a->lines + ((u32)v - 1) * a->per;
		struct rt_line *line = map_lookup(MAP(LINES), &first);
		if (!line || line->w[0] != len)
			continue;
		/* Words behind a short tuple are not compared. */
		u64 differ = 0, n = apart(len);
		for (u32 k = 0; k < FIRST_WORDS; k++)
			if (8 * k < n)
				differ |= line->w[1 + k] ^ *(u64 *)&st->mem[RT_KEY + 8 * k];
		if (differ || (n > 8 * FIRST_WORDS && !rt_agg_same(st, first, len)))
			continue;
		return (u32)v;
	}
	if (!slot)
		drop(DROP_AGGREGATION);
	return slot;
}
