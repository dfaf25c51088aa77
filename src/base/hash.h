/*
 * A hash of bytes that others choose. It depends on a secret of this process (the kernel's AT_RANDOM), so nobody can
 * make names that all fall into one slot of a table.
 */
#ifndef ET_BASE_HASH_H
#define ET_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

uint64_t hash_bytes(const void *p, size_t len);
/* The same with the caller's key. */
uint64_t hash_keyed(const uint64_t key[2], const void *p, size_t len);

#endif
