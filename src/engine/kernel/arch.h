/* The parts of the kernel engine that depend on the processor: one header for each. The build says which, also to the
 * runtime, since BPF has no processor. */
#ifndef ET_ENGINE_KERNEL_ARCH_H
#define ET_ENGINE_KERNEL_ARCH_H

#if defined(ET_ARCH_x86_64)
#include "engine/kernel/arch_x86_64.h"
#elif defined(ET_ARCH_aarch64)
#include "engine/kernel/arch_aarch64.h"
#else
#error "no such processor yet: write arch_MACHINE.h after arch_x86_64.h, or build with KERNEL=0"
#endif

#endif
