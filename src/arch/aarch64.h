/*
 * What erltrace knows about arm64: see x86_64.h, which has the same names. The runtime in the kernel shares it, so it
 * has only numbers, but for the last part.
 */
#ifndef ET_ARCH_AARCH64_H
#define ET_ARCH_AARCH64_H

/* Words of struct pt_regs, in their order: x0 to x30 and what follows. */
enum {
	PTW_X0,
	PTW_X8 = 8,
	PTW_X20 = 20,
	PTW_X21 = 21,
	PTW_FP = 29,
	PTW_LR = 30,
	PTW_SP = 31,
	PTW_PC,
	PTW_PSTATE,
	PTW_ORIG_X0,
	PTW_CALL, /* 32 bits of it */
	ARCH_REGS
};
enum {
	ARCH_CALL = PTW_CALL,
	ARCH_RESULT = PTW_X0,
	ARCH_PC = PTW_PC,
	ARCH_SP = PTW_SP,
};

enum { ARCH_NARGS = 8 };
#define ARCH_ARGS \
	{ \
		0, 1, 2, 3, 4, 5, 6, 7 \
	}
enum { ARCH_STACK_ARGS = 0 }; /* the return address is in a register */
enum { ARCH_CALL_NARGS = 6, ARCH_CALL_WORDS = 6, ARCH_CALL_KEPT = PTW_ORIG_X0 };
#define ARCH_CALL_ARGS \
	{ \
		0, 1, 2, 3, 4, 5 \
	}

enum {
	ARCH_NR_SETPRIORITY = 140,
	ARCH_NR_SCHED_SETPARAM = 118,
	ARCH_NR_SCHED_SETSCHEDULER = 119,
	ARCH_NR_SCHED_SETATTR = 274,
	ARCH_NR_EXECVEAT = 281,
};

#define ARCH_FAULT_POINTS 0

enum { ARCH_TRACEPOINT_FRAMES = 3 }; /* no function ends with a jump there, so that all have frames */

enum { ARCH_USER_BITS = 48 };
enum { ARCH_DW_FP = 29, ARCH_DW_SP = 31, ARCH_DW_PROCESS = 21, ARCH_DW_RA = 30, ARCH_DW_STACK = 20 };
#define ARCH_BPF "arch/aarch64.bpf.h"

enum { ARCH_LARGEFILE = 0400000 };

/* uregs[]: R_X0 … R_X30, R_SP, R_PC, R_PSTATE */
#define ARCH_UREGS(X) \
	X(0, 0) \
	X(1, 1) \
	X(2, 2) \
	X(3, 3) \
	X(4, 4) \
	X(5, 5) \
	X(6, 6) \
	X(7, 7) \
	X(8, 8) \
	X(9, 9) \
	X(10, 10) \
	X(11, 11) \
	X(12, 12) \
	X(13, 13) \
	X(14, 14) \
	X(15, 15) \
	X(16, 16) \
	X(17, 17) \
	X(18, 18) \
	X(19, 19) \
	X(20, 20) \
	X(21, 21) \
	X(22, 22) \
	X(23, 23) \
	X(24, 24) \
	X(25, 25) \
	X(26, 26) \
	X(27, 27) \
	X(28, 28) \
	X(29, PTW_FP) \
	X(30, PTW_LR) \
	X(31, PTW_SP) \
	X(32, PTW_PC) \
	X(33, PTW_PSTATE)
#define ARCH_THREAD_UREGS(X)
#define ARCH_THREAD_MEMBERS(X) X(THREAD_POINTER, "thread.uw.tp_value")

enum { ARCH_UREGS_LAST = 33 };
#define ARCH_UREGS_HINT "use the names R_X0, R_SP ..."
/* clang-format off */
#define ARCH_UREGS_NAMES(X) \
	X(R_FP, 29) X(R_LR, 30) X(R_PC, 32) X(R_PSTATE, 33) X(R_SP, 31) X(R_X0, 0) X(R_X1, 1) X(R_X10, 10) \
	X(R_X11, 11) X(R_X12, 12) X(R_X13, 13) X(R_X14, 14) X(R_X15, 15) X(R_X16, 16) X(R_X17, 17) X(R_X18, 18) \
	X(R_X19, 19) X(R_X2, 2) X(R_X20, 20) X(R_X21, 21) X(R_X22, 22) X(R_X23, 23) X(R_X24, 24) X(R_X25, 25) \
	X(R_X26, 26) X(R_X27, 27) X(R_X28, 28) X(R_X29, 29) X(R_X3, 3) X(R_X30, 30) X(R_X4, 4) X(R_X5, 5) \
	X(R_X6, 6) X(R_X7, 7) X(R_X8, 8) X(R_X9, 9)
/* clang-format on */

#define ARCH_NAME "aarch64"
#define ARCH_CODE arch_aarch64

#define ARCH_TRAP 0xd4200000ul
#define ARCH_TRAP_MASK 0xfffffffful
#define ARCH_TRAP_AFTER 0
#define ARCH_USER_PC(regs) (regs).pc

#ifdef __aarch64__ /* not in the runtime */
static inline void
arch_pause(void)
{
	__asm__ volatile("yield");
}

static inline __UINTPTR_TYPE__
arch_thread(void)
{
	__UINTPTR_TYPE__ self;
	__asm__("mrs %0, tpidr_el0" : "=r"(self));
	return self;
}
#endif

#endif
