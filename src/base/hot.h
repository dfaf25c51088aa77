/*
 * Keeps the code of the event path together.
 *
 * A traced VM's own code for one event already fills most of the processor's instruction cache and TLB. Code that runs
 * for each event is marked, so that it shares few lines and pages. Code that an event seldom needs is kept out of line.
 */
#ifndef ET_BASE_HOT_H
#define ET_BASE_HOT_H

#define ET_HOT __attribute__((hot))
#define ET_COLD __attribute__((cold, noinline))
#define ET_LIKELY(x) __builtin_expect(!!(x), 1)
#define ET_UNLIKELY(x) __builtin_expect(!!(x), 0)

#endif
