/* The parts of the kernel engine that depend on the processor: one header for each. BPF has no processor, so its
 * build says which. */
#ifndef ET_ENGINE_KERNEL_ARCH_H
#define ET_ENGINE_KERNEL_ARCH_H

#if defined(__x86_64__) || defined(RT_ARCH_x86_64)
#include "engine/kernel/arch_x86_64.h"
#else
#error \
    "the kernel engine knows x86-64 only: write src/engine/kernel/arch_MACHINE.h (aarch64: arch_aarch64.h) after arch_x86_64.h and include it here, or build with KERNEL=0"
#endif

#endif
