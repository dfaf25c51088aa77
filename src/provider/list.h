/*
 * All providers, in the order of their probes' numbers. A new provider is a file with provider_NAME and a row here.
 */
#ifndef ET_PROVIDER_LIST_H
#define ET_PROVIDER_LIST_H

#define PROVIDERS(X) \
	X(dtrace) \
	X(profile) \
	X(erlang)

/* Those of src/provider/kernel, which need the kernel engine. */
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

#endif
