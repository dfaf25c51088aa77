/* The dtrace provider: BEGIN, END and ERROR. The handle fires the first two, the engine the third. */
#include "provider/provider.h"

static bool
provide(struct probes *ps, const struct provider *pv)
{
	static const char *const probe_names[] = {"BEGIN", "END", "ERROR"};
	for (unsigned i = 0; i < 3; i++) {
		const char *const names[4] = {"dtrace", "", "", probe_names[i]};
		if (!probe_add(ps, pv, names, NULL, 0))
			return false;
	}
	return true;
}

const struct provider provider_dtrace = {
    .name = "dtrace",
    .provide = provide,
    .stability = "Stable/Stable/Common",
};
