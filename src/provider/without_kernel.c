/*
 * Replaces src/provider/kernel in builds without the kernel engine: its providers have a name but no probes, so that
 * the error says what is missing.
 */
#include "provider/provider.h"

#define X(pv) const struct provider provider_##pv = {.name = #pv, .kernel = true};
KERNEL_PROVIDERS(X)
#undef X
