/*
 * Reads clocks. Everything that measures time or has a deadline uses the monotonic clock, because it never jumps. It
 * has no relation to the time of day, but all processes of a machine see the same.
 */
#ifndef ET_BASE_CLOCK_H
#define ET_BASE_CLOCK_H

#include <stdint.h>
#include <time.h>

/* Returns ns. */
static inline uint64_t
clock_ns(clockid_t clock)
{
	struct timespec t;
	clock_gettime(clock, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static inline uint64_t
mono_ns(void)
{
	return clock_ns(CLOCK_MONOTONIC);
}

static inline uint64_t
mono_ms(void)
{
	return mono_ns() / 1000000;
}

#endif
