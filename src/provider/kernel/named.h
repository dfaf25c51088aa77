/*
 * Providers that give tracepoints and system calls DTrace's names and arguments: each is a table of rows. Rows of the
 * same name follow each other and are one probe with several places.
 */
#ifndef ET_PROVIDER_KERNEL_NAMED_H
#define ET_PROVIDER_KERNEL_NAMED_H

#include "engine/kernel/kern.h"
#include "provider/provider.h"

struct named {
	const char *provider, *name;
	const char *const *types; /* of args[]; NULL-terminated */
	struct kern_tp tp;
	/* Rows without a tracepoint are about a system call. */
	int call;
	enum kern_place place;
	unsigned event; /* or about an event that perf counts: PERF_COUNT_SW_… plus one */
	bool rare;      /* not every kernel has the tracepoint: named_on_demand() lists it if it exists */
};
#define NAMED_TP(pv, probe, t, ...) \
	{ \
		.provider = pv, .name = probe, .types = t, .tp = { __VA_ARGS__ } \
	}
#define NAMED_RARE(pv, probe, t, ...) \
	{ \
		.provider = pv, .name = probe, .types = t, .tp = {__VA_ARGS__}, .rare = true \
	}
#define NAMED_CALL(pv, probe, t, nr, where) \
	{ \
		.provider = pv, .name = probe, .types = t, .call = nr, .place = where \
	}
#define NAMED_EVENT(pv, probe, t, which) \
	{ \
		.provider = pv, .name = probe, .types = t, .event = (which) + 1 \
	}
#define NAMED_RAW(m) \
	{ \
		.what = KA_RAW, .n = m \
	}

/* Returns the kernel's names of the arguments of one of its functions, "file,buf,count"; lives as long as the
 * probes. Returns NULL if there is no memory. */
const char *named_params(struct probes *ps, const struct kbtf *b, const struct btf_param *params, unsigned n);
/* Adds the provider's rows, which end with one without a name and are constant. probe.param is the address of the
 * probe's first row. */
bool named_provide(struct probes *ps, const struct provider *pv, const struct named *rows);
/* Adds those of its rare rows that this kernel has. For a probe that does not exist here, says why. */
bool named_on_demand(
    struct probes *ps, const struct provider *pv, const struct named *rows, const struct pdesc *d, struct why *why);
/* Returns whether a description names the provider, or everything. */
bool named_claims(const struct pdesc *d, const char *provider);
bool named_start(struct pv_start *s, struct why *why);

#endif
