/* The kernel engine and its providers, as the rest sees them: only in builds with KERNEL=1 (ET_WITH_KERNEL). */
#ifndef ET_ENGINE_KERNEL_KERNEL_H
#define ET_ENGINE_KERNEL_KERNEL_H

#include "provider/provider.h"

extern const struct engine_ops engine_kernel;
extern const struct provider provider_syscall, provider_sched, provider_proc, provider_rawtp;

/* Makes a bound profile-N probe fire on every CPU. */
bool kern_attach_profile(struct engine *e, unsigned probe, uint64_t period_ns, char *why, size_t whylen);

#endif
