/* The kernel engine and its providers, as the rest sees them: in builds that have it (ET_WITH_KERNEL). */
#ifndef ET_ENGINE_KERNEL_KERNEL_H
#define ET_ENGINE_KERNEL_KERNEL_H

#include "provider/provider.h"

extern const struct engine_ops engine_kernel;

/* Its providers, in the order of the probes' numbers: a new one is a file and a name here. */
#define KERNEL_PROVIDERS(X) \
	X(syscall) \
	X(sched) \
	X(proc) \
	X(io) \
	X(fsinfo) \
	X(sysinfo) \
	X(vminfo) \
	X(ip) \
	X(tcp) \
	X(udp) \
	X(fbt) \
	X(rawtp) \
	X(sdt) \
	X(pid) \
	X(usdt)
#define X(name) extern const struct provider provider_##name;
KERNEL_PROVIDERS(X)
#undef X

/* Makes a bound profile-N probe fire on every CPU. */
bool kern_attach_profile(struct engine *e, unsigned probe, uint64_t period_ns, char *why, size_t whylen);

#endif
