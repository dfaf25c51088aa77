/* See bits.h. */
#include "bits.h"

#include <stdlib.h>
#include <string.h>

/* The memory layout of binaries: unknown, that of OTP up to 26, or that of OTP from 27 on. */
static enum { UNKNOWN, OLD, NEW } layout;
static uint64_t tag_heap, tag_refc, tag_sub; /* low bits of the first word */
enum { TAG = 0x3f, ON_HEAP = 64 };

/*
 * OLD   heap  header, bytes, data …
 *       refc  header, bytes, next, binary, data's address, flags
 *       sub   header, bytes, first byte, (bits past the last byte, bits before the first), what it is a part of
 * NEW   heap  header, bits, data …
 *       sub   header, data's address | flags, first bit, end, what it is a part of
 */
static const uint64_t *
words_of(ERL_NIF_TERM t)
{
	return (const uint64_t *)(uintptr_t)(t & ~(ERL_NIF_TERM)7);
}

static const unsigned char *
old_data(const uint64_t *w)
{
	return (w[0] & TAG) == tag_refc ? (const unsigned char *)(uintptr_t)w[4] : (const unsigned char *)(w + 2);
}

static uint32_t
heap_words(uint64_t bytes)
{
	return (uint32_t)(2 + (bytes + 7) / 8);
}

static bool
old_bits(const uint64_t *w, struct bits *b)
{
	if ((w[0] & TAG) != tag_sub) {
		bool refc = (w[0] & TAG) == tag_refc;
		*b = (struct bits){w[1] * 8, refc ? 6 : heap_words(w[1]), old_data(w), 0};
		return refc || (w[0] & TAG) == tag_heap;
	}
	const uint64_t *of = words_of(w[4]);
	unsigned past = w[3] & 0xff, before = w[3] >> 8 & 0xff;
	*b = (struct bits){w[1] * 8 + past, 0, old_data(of) + w[2], before};
	b->words =
	    (past || before ? 5 : 0) + ((of[0] & TAG) == tag_refc ? 6 : heap_words(w[1] + (past + before + 7) / 8));
	return past < 8 && before < 8 && ((of[0] & TAG) == tag_refc || (of[0] & TAG) == tag_heap);
}

static bool
new_bits(const uint64_t *w, struct bits *b)
{
	if ((w[0] & TAG) == tag_heap) {
		*b = (struct bits){w[1], heap_words((w[1] + 7) / 8), (const unsigned char *)(w + 2), 0};
		return true;
	}
	const unsigned char *base = (const unsigned char *)(uintptr_t)(w[1] & ~(uint64_t)3);
	*b = (struct bits){w[3] - w[2], 8, base + w[2] / 8, (unsigned)(w[2] % 8)};
	if (b->nbits <= ON_HEAP * 8)
		b->words = heap_words((b->nbits + 7) / 8);
	return (w[0] & TAG) == tag_sub && w[2] <= w[3];
}

static bool
read_bits(ERL_NIF_TERM t, struct bits *b)
{
	if ((t & 3) != 2) /* not a pointer to a box */
		return false;
	return layout == OLD ? old_bits(words_of(t), b) : new_bits(words_of(t), b);
}

static bool
is(ERL_NIF_TERM t, uint64_t nbits, const void *data, size_t len)
{
	struct bits b;
	return read_bits(t, &b) && b.nbits == nbits && b.shift == 0 && memcmp(b.base, data, len) == 0;
}

/* A binary on the heap, one that is not, a part of that, and one with bits past its last byte. */
void
bits_load(ErlNifEnv *env)
{
	static const unsigned char odd[] = {131, 77, 0, 0, 0, 3, 5, 0xaa, 0xbb, 0xf8}; /* 21 bits */
	ErlNifSysInfo info = {0};
	ERL_NIF_TERM small, large, part, bits;
	enif_system_info(&info, sizeof info);
	layout = UNKNOWN;
	if (sizeof(ERL_NIF_TERM) != 8 || !info.otp_release)
		return;
	int release = atoi(info.otp_release);
	unsigned char *a = enif_make_new_binary(env, 5, &small), *b = enif_make_new_binary(env, 400, &large);
	if (!a || !b || !enif_binary_to_term(env, odd, sizeof odd, &bits, 0))
		return;
	memcpy(a, "hello", 5); /* NOLINT: a binary has no NUL */
	for (unsigned i = 0; i < 400; i++)
		b[i] = (unsigned char)(i * 7);
	part = enif_make_sub_binary(env, large, 3, 200);
	if ((small & 3) != 2 || (large & 3) != 2 || (part & 3) != 2 || (bits & 3) != 2)
		return;
	tag_heap = words_of(small)[0] & TAG;
	tag_refc = words_of(large)[0] & TAG;
	tag_sub = words_of(part)[0] & TAG;
	layout = release <= 26 ? OLD : NEW;
	bool distinct =
	    tag_heap != tag_sub && (layout == OLD ? tag_heap != tag_refc && tag_refc != tag_sub : tag_refc == tag_sub);
	/* the numbers first: an address is followed only if they are right */
	const uint64_t *w = words_of(large), *p = words_of(part);
	bool numbers = layout == OLD
			   ? words_of(small)[1] == 5 && w[1] == 400 && w[4] == (uintptr_t)b && p[1] == 200 &&
				 p[2] == 3 && !(p[3] & 0xffff) && words_of(p[4])[1] == 400
			   : words_of(small)[1] == 40 && (w[1] & ~(uint64_t)3) == (uintptr_t)b && w[2] == 0 &&
				 w[3] == 3200 && (p[1] & ~(uint64_t)3) == (uintptr_t)b && p[2] == 24 && p[3] == 1624;
	if (!distinct || !numbers || !is(small, 40, "hello", 5) || !is(large, 3200, b, 400) ||
	    !is(part, 1600, b + 3, 200) || !is(bits, 21, odd + 7, 2))
		layout = UNKNOWN;
}

bool
bits_of(ERL_NIF_TERM t, struct bits *b)
{
	return layout != UNKNOWN && read_bits(t, b);
}

const unsigned char *
bits_bytes(const struct bits *b, unsigned char *buf, size_t *n)
{
	if (b->nbits / 8 < *n)
		*n = b->nbits / 8;
	if (!b->shift)
		return b->base;
	for (size_t i = 0; i < *n; i++)
		buf[i] = (unsigned char)(b->base[i] << b->shift | b->base[i + 1] >> (8 - b->shift));
	return buf;
}
