/*
 * What depends on the processor: numbers and a few instructions, in one header for each, with the same names in both.
 * Code about a processor, which runs on any, is in its .c file: see code.h.
 *
 * The runtime in the kernel shares the numbers. BPF has no processor, so the build says which one the kernel has.
 */
#ifndef ET_ARCH_ARCH_H
#define ET_ARCH_ARCH_H

/* Those that there are. */
#define ARCH_MACHINES(M) M(x86_64) M(aarch64)

#if defined ET_ARCH_x86_64 || (!defined ET_ARCH_aarch64 && defined __x86_64__)
#include "arch/x86_64.h"
#elif defined ET_ARCH_aarch64 || defined __aarch64__
#include "arch/aarch64.h"
#else
#error "no such processor yet: write src/arch/MACHINE.h and MACHINE.c after those of x86_64"
#endif

#endif
