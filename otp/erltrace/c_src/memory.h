/* How much memory a script may take in this process: half of what is free, by the machine and by every control group
 * that the process is in. */
#ifndef ERLTRACE_MEMORY_H
#define ERLTRACE_MEMORY_H

#include <stddef.h>
#include <stdint.h>

/* Returns bytes; `by` is what sets the limit, for the error. */
uint64_t memory_allowed(const char **by);

#endif
