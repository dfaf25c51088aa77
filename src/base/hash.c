/* SipHash-1-3 (Aumasson and Bernstein), keyed by the random bytes that the kernel gives to every program. */
#include "base/hash.h"

#include <string.h>
#include <sys/auxv.h>

static uint64_t
turn(uint64_t v, unsigned by)
{
	return v << by | v >> (64 - by);
}

static void
mix(uint64_t v[4])
{
	v[0] += v[1];
	v[1] = turn(v[1], 13) ^ v[0];
	v[0] = turn(v[0], 32);
	v[2] += v[3];
	v[3] = turn(v[3], 16) ^ v[2];
	v[0] += v[3];
	v[3] = turn(v[3], 21) ^ v[0];
	v[2] += v[1];
	v[1] = turn(v[1], 17) ^ v[2];
	v[2] = turn(v[2], 32);
}

uint64_t
hash_bytes(const void *p, size_t len)
{
	uint64_t key[2] = {0x736f6d6570736575, 0x646f72616e646f6d};
	const void *secret = (const void *)(uintptr_t)getauxval(AT_RANDOM);
	if (secret)
		memcpy(key, secret, sizeof key);
	return hash_keyed(key, p, len);
}

uint64_t
hash_keyed(const uint64_t key[2], const void *p, size_t len)
{
	uint64_t word;
	const char *at = p;
	uint64_t v[4] = {key[0] ^ 0x736f6d6570736575, key[1] ^ 0x646f72616e646f6d, key[0] ^ 0x6c7967656e657261,
	    key[1] ^ 0x7465646279746573};
	size_t left = len;
	for (; left >= sizeof word; at += sizeof word, left -= sizeof word) {
		memcpy(&word, at, sizeof word);
		v[3] ^= word;
		mix(v);
		v[0] ^= word;
	}
	word = (uint64_t)len << 56;
	for (size_t i = 0; i < left; i++)
		word |= (uint64_t)(unsigned char)at[i] << (8 * i);
	v[3] ^= word;
	mix(v);
	v[0] ^= word;
	v[2] ^= 0xff;
	for (unsigned i = 0; i < 3; i++)
		mix(v);
	return v[0] ^ v[1] ^ v[2] ^ v[3];
}
