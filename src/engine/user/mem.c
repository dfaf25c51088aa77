/*
 * Memory as D sees it. The tag of an address names a region; an address without a tag is one of this process. Every
 * access is checked here. Addresses of the process are read by process_vm_readv() on ourselves: the kernel answers
 * EFAULT where we would get a signal.
 *
 * Global memory is shared by all shards. It is read and written by relaxed atomics, in words where possible, so that a
 * race gives only old or new bytes.
 */
#include "engine/user/user.h"

#include <errno.h>
#include <sys/uio.h>

/* ---- global memory ---- */

static bool
is_aligned(const void *p)
{
	return ((uintptr_t)p & 7) == 0;
}

static void
global_read(const char *from, char *to, size_t n)
{
	for (; n && !is_aligned(from); n--)
		*to++ = (char)__atomic_load_n(from++, __ATOMIC_RELAXED);
	for (; n >= 8; n -= 8, from += 8, to += 8) {
		uint64_t w = __atomic_load_n((const uint64_t *)(const void *)from, __ATOMIC_RELAXED);
		memcpy(to, &w, 8);
	}
	for (; n; n--)
		*to++ = (char)__atomic_load_n(from++, __ATOMIC_RELAXED);
}

static void
global_write(char *to, const char *from, size_t n)
{
	for (; n && !is_aligned(to); n--)
		__atomic_store_n(to++, *from++, __ATOMIC_RELAXED);
	for (; n >= 8; n -= 8, from += 8, to += 8) {
		uint64_t w;
		memcpy(&w, from, 8);
		__atomic_store_n((uint64_t *)(void *)to, w, __ATOMIC_RELAXED);
	}
	for (; n; n--)
		__atomic_store_n(to++, *from++, __ATOMIC_RELAXED);
}

/* ---- this process ---- */

/* Returns how many of n bytes could be read. The kernel stops at the first page that it cannot read. */
static size_t
raw_read(struct activation *r, uint64_t addr, char *to, size_t n)
{
	size_t done = 0;
	while (done < n && !r->e->confined && charge(r, PAGE)) {
		size_t piece = PAGE - (size_t)((addr + done) & (PAGE - 1));
		if (piece > n - done)
			piece = n - done;
		struct iovec local = {to + done, piece};
		struct iovec remote = {(void *)(uintptr_t)(addr + done), piece};
		int saved = errno;
		ssize_t got = process_vm_readv(r->e->pid, &local, 1, &remote, 1, 0);
		errno = saved;
		if (got <= 0)
			break;
		done += (size_t)got;
	}
	return done;
}

bool
mem_raw_write(struct activation *r, uint64_t addr, const void *from, size_t n)
{
	if (r->e->confined)
		return fail(r, DIF_FAULT_BADADDR, addr);
	for (size_t done = 0; done < n;) {
		size_t piece = PAGE - (size_t)((addr + done) & (PAGE - 1));
		if (piece > n - done)
			piece = n - done;
		struct iovec local = {(char *)(uintptr_t)from + done, piece};
		struct iovec remote = {(void *)(uintptr_t)(addr + done), piece};
		int saved = errno;
		ssize_t put = charge(r, PAGE) ? process_vm_writev(r->e->pid, &local, 1, &remote, 1, 0) : 0;
		errno = saved;
		if (put <= 0)
			return fail(r, DIF_FAULT_BADADDR, addr);
		done += (size_t)put;
	}
	return true;
}

static bool
is_region(uint64_t addr)
{
	return DIF_REGION(addr) >= DIF_R_CONST && DIF_REGION(addr) <= DIF_R_TERM;
}

/* ---- regions ---- */

static ET_HOT __attribute__((noinline)) void
ask_arg(struct activation *r, unsigned n)
{
	r->args_known |= 1u << n;
	r->argmem[n] = NULL;
	r->arglen[n] = 0;
	r->argsame[n].kind = 0;
	if (!r->f->ops || !r->f->ops->argmem ||
	    r->f->ops->argmem(r->f, n, &r->argmem[n], &r->arglen[n], &r->argsame[n]) != 0)
		r->argmem[n] = NULL;
}

static inline bool
arg_mem(struct activation *r, uint64_t off, const char **at, size_t *left)
{
	unsigned n = (unsigned)(off >> 40);
	off &= 0xffffffffffULL;
	if (ET_UNLIKELY(n >= NARGS))
		return false;
	if (!(r->args_known & 1u << n))
		ask_arg(r, n);
	if (ET_UNLIKELY(!r->argmem[n] || off > r->arglen[n]))
		return false;
	*at = (const char *)r->argmem[n] + off;
	*left = r->arglen[n] - (size_t)off;
	return true;
}

/* A term read as memory is its text. */
static bool
term_mem(struct activation *r, uint64_t addr, const char **at, size_t *left)
{
	uint64_t off = addr & 0xffff;
	if (!charge(r, 64))
		return false;
	struct term_query q = {.op = DIF_SUBR_TERM_TEXT, .term = addr - off, .most = r->e->strsize};
	if (!r->f->ops || !r->f->ops->term || r->f->ops->term(r->f, &q) != 0 || off > q.len)
		return false;
	*at = q.mem + off;
	*left = q.len - (size_t)off;
	return true;
}

/* Finds memory that can be read in place: where it is, and how much is left from there. Global memory cannot be read
 * in place. */
static inline bool
region_at(struct activation *r, uint64_t addr, const char **at, size_t *left)
{
	uint64_t off = DIF_OFFSET(addr);
	switch (DIF_REGION(addr)) {
	case DIF_R_CONST:
		if (off >= r->e->o->nstrs)
			return false;
		*at = r->e->o->strs + off;
		*left = r->e->o->nstrs - (size_t)off;
		return true;
	case DIF_R_SCRATCH:
		if (off >= r->scratch_used)
			return false;
		*at = r->scratch + off;
		*left = r->scratch_used - (size_t)off;
		return true;
	case DIF_R_LOCAL:
		if (off >= r->e->lsize)
			return false;
		*at = r->lmem + off;
		*left = r->e->lsize - (size_t)off;
		return true;
	case DIF_R_ARG:
		return arg_mem(r, off, at, left);
	case DIF_R_BUILTIN:
		return bi_mem(r, off, at, left);
	case DIF_R_TERM:
		return term_mem(r, addr, at, left);
	default:
		return false;
	}
}

/* Returns memory of this shard that can be written. */
static inline char *
region_own(struct activation *r, uint64_t addr, size_t n)
{
	uint64_t off = DIF_OFFSET(addr);
	if (DIF_REGION(addr) == DIF_R_SCRATCH && off <= r->scratch_used && n <= r->scratch_used - off)
		return r->scratch + off;
	if (DIF_REGION(addr) == DIF_R_LOCAL && off <= r->e->lsize && n <= r->e->lsize - off)
		return r->lmem + off;
	return NULL;
}

static inline char *
region_global(struct activation *r, uint64_t addr, size_t n)
{
	uint64_t off = DIF_OFFSET(addr);
	if (DIF_REGION(addr) == DIF_R_GLOBAL && off <= r->e->gsize && n <= r->e->gsize - off)
		return r->e->gmem + off;
	return NULL;
}

ET_HOT const char *
mem_direct(struct activation *r, uint64_t addr, size_t n)
{
	const char *at;
	size_t left;
	if (ET_LIKELY(DIF_REGION(addr) == DIF_R_ARG))
		return arg_mem(r, DIF_OFFSET(addr), &at, &left) && n <= left ? at : NULL;
	return region_at(r, addr, &at, &left) && n <= left ? at : NULL;
}

/* Copies from the end if the target overlaps the rest of the source. */
bool
mem_copy(struct activation *r, void *to, const void *from, size_t n)
{
	bool back = (uintptr_t)to > (uintptr_t)from && (uintptr_t)to - (uintptr_t)from < n;
	for (size_t done = 0, piece; done < n; done += piece) {
		piece = n - done < PIECE ? n - done : PIECE;
		if (piece > 8 && !charge(r, piece))
			return false;
		size_t at = back ? n - done - piece : done;
		memmove((char *)to + at, (const char *)from + at, piece);
	}
	return true;
}

bool
mem_zero(struct activation *r, void *to, size_t n)
{
	for (size_t done = 0, piece; done < n; done += piece) {
		piece = n - done < PIECE ? n - done : PIECE;
		if (!charge(r, piece))
			return false;
		memset((char *)to + done, 0, piece);
	}
	return true;
}

static bool
read_pieces(struct activation *r, const char *from, char *to, size_t n)
{
	for (size_t done = 0, piece; done < n; done += piece) {
		piece = n - done < PIECE ? n - done : PIECE;
		if (piece > 8 && !charge(r, piece))
			return false;
		global_read(from + done, to + done, piece);
	}
	return true;
}

static bool
write_pieces(struct activation *r, char *to, const char *from, size_t n)
{
	for (size_t done = 0, piece; done < n; done += piece) {
		piece = n - done < PIECE ? n - done : PIECE;
		if (piece > 8 && !charge(r, piece))
			return false;
		global_write(to + done, from + done, piece);
	}
	return true;
}

bool
mem_get(struct activation *r, uint64_t addr, void *to, size_t n)
{
	const char *at;
	size_t left;
	if (!charge(r, 8))
		return false;
	if (region_at(r, addr, &at, &left) && n <= left)
		return mem_copy(r, to, at, n);
	if ((at = region_global(r, addr, n)))
		return read_pieces(r, at, to, n);
	if (!is_region(addr) && raw_read(r, addr, to, n) == n)
		return true;
	return fail(r, DIF_FAULT_BADADDR, addr);
}

bool
mem_put(struct activation *r, uint64_t addr, const void *from, size_t n)
{
	char *at;
	if (!charge(r, 8))
		return false;
	if ((at = region_own(r, addr, n)))
		return mem_copy(r, at, from, n);
	if ((at = region_global(r, addr, n)))
		return write_pieces(r, at, from, n);
	return fail(r, DIF_FAULT_BADADDR, addr);
}

bool
mem_set0(struct activation *r, uint64_t addr, size_t n)
{
	static const char zeroes[256];
	for (size_t piece; n; n -= piece, addr += piece) {
		piece = n < sizeof zeroes ? n : sizeof zeroes;
		if (!mem_put(r, addr, zeroes, piece))
			return false;
	}
	return true;
}

bool
mem_load(struct activation *r, uint64_t addr, unsigned size, uint64_t *v)
{
	*v = 0;
	return mem_get(r, addr, v, size); /* little-endian machines only: see engine.c */
}

bool
mem_store(struct activation *r, uint64_t addr, unsigned size, uint64_t v)
{
	return mem_put(r, addr, &v, size);
}

/*
 * A string ends at its NUL, at strsize - 1 or `most` bytes, or where its region ends. If it cannot be read in place, it
 * is copied to a buffer of the shard.
 */
bool
mem_strn(struct activation *r, uint64_t addr, unsigned tmp, uint64_t most, struct str *s)
{
	size_t max = r->e->strsize - 1, left;
	if (max > most)
		max = (size_t)most;
	if (region_at(r, addr, &s->at, &left)) {
		s->len = strnlen(s->at, left < max ? left : max);
		return charge(r, 16 + s->len);
	}
	char *to = r->sh->tmp[tmp];
	uint64_t off = DIF_OFFSET(addr);
	if (DIF_REGION(addr) == DIF_R_GLOBAL && off < r->e->gsize) {
		left = r->e->gsize - (size_t)off;
		if (left > max)
			left = max;
		if (!read_pieces(r, r->e->gmem + off, to, left))
			return false;
	} else if (!is_region(addr)) {
		for (left = 0; left < max;) {
			size_t piece = PAGE - (size_t)((addr + left) & (PAGE - 1));
			if (piece > max - left)
				piece = max - left;
			if (raw_read(r, addr + left, to + left, piece) != piece)
				return fail(r, DIF_FAULT_BADADDR, addr);
			left += piece;
			if (memchr(to + left - piece, 0, piece))
				break;
		}
	} else {
		return fail(r, DIF_FAULT_BADADDR, addr);
	}
	s->at = to;
	s->len = strnlen(to, left);
	return true;
}

/* Most keys are names of the probe and arguments, so these come first. */
ET_HOT bool
mem_str(struct activation *r, uint64_t addr, unsigned tmp, struct str *s)
{
	size_t max = r->e->strsize - 1, left;
	uint64_t off = DIF_OFFSET(addr);
	int name = DIF_REGION(addr) == DIF_R_BUILTIN ? bi_name((enum dif_builtin)(off >> 40)) : -1;
	if (name >= 0 && !(off & 0xffffffffffULL)) {
		s->at = r->p->names[name];
		s->len = r->p->lens[name] < max ? r->p->lens[name] : max;
		return charge(r, 16 + s->len);
	}
	if (DIF_REGION(addr) == DIF_R_ARG && arg_mem(r, off, &s->at, &left)) {
		s->len = strnlen(s->at, left < max ? left : max);
		return charge(r, 16 + s->len);
	}
	return mem_strn(r, addr, tmp, UINT64_MAX, s);
}

ET_HOT bool
mem_same(struct activation *r, uint64_t addr, struct eng_same *same)
{
	unsigned n = (unsigned)(DIF_OFFSET(addr) >> 40);
	if (DIF_REGION(addr) == DIF_R_ARG && n < NARGS && !(r->args_known >> n & 1))
		ask_arg(r, n);
	return mem_known(r, addr, same);
}

/* ---- scratch ---- */

void *
scratch_new(struct activation *r, size_t n, uint64_t *addr)
{
	size_t at = r->scratch_used;
	if (n > r->e->conf.scratchsize || up8(n) > r->e->conf.scratchsize - at) {
		fail(r, DIF_FAULT_NOSCRATCH, 0);
		return NULL;
	}
	if (!charge(r, 8))
		return NULL;
	r->scratch_used = at + up8(n);
	*addr = DIF_ADDR(DIF_R_SCRATCH, at);
	return r->scratch + at;
}

void *
scratch_new0(struct activation *r, size_t n, uint64_t *addr)
{
	void *p = scratch_new(r, n, addr);
	return p && mem_zero(r, p, up8(n)) ? p : NULL;
}

bool
scratch_str(struct activation *r, const char *s, size_t len, uint64_t *addr)
{
	if (len > r->e->strsize - 1)
		len = r->e->strsize - 1;
	char *to = scratch_new(r, len + 1, addr);
	if (!to)
		return false;
	memset(to + len, 0, up8(len + 1) - len);
	return mem_copy(r, to, s, len);
}
