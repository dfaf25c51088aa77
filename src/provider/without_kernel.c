/*
 * In place of src/provider/kernel, in builds without the kernel engine: its providers have a name and no probes, so that
 * who asks for one is told what is missing.
 */
#include "provider/provider.h"

#define X(pv) const struct provider provider_##pv = {.name = #pv, .kernel = true};
KERNEL_PROVIDERS(X)
#undef X
