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
	X(lockstat) \
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

/* Whether this process has the capabilities that the kernel engine needs. */
bool kern_is_permitted(struct why *why);

/* watch.c: keeps the names of processes that come and go. NULL: the kernel does not let us. */
struct syms;
struct sym_map;
struct kern_watch;
struct kern_watch *kern_watch_start(
    struct syms *s, void (*mapped)(void *arg, int64_t pid, const struct sym_map *m), void *arg);
void kern_watch_flush(struct kern_watch *w); /* what has happened until now is known then */
void kern_watch_stop(struct kern_watch *w);

/* Makes a bound profile-N probe fire on every CPU. */
bool kern_attach_profile(struct engine *e, unsigned probe, uint64_t period_ns, struct why *why);

#endif
