/* The dtrace provider: BEGIN, END and ERROR. The handle fires the first two, the engine the third. */
#include "provider/provider.h"

static bool
provide(struct probes *ps, const struct provider *pv)
{
#define X(probe) {"dtrace", "", "", #probe},
	static const char *const rows[][4] = {DTRACE_PROBES(X)};
#undef X
	for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++)
		if (!probe_add(ps, pv, rows[i], NULL, 0))
			return false;
	return true;
}

const struct provider provider_dtrace = {
    .name = "dtrace",
    .provide = provide,
    .stability = "Stable/Stable/Common",
};
