/*
 * What erltrace knows about x86-64: where registers are in the kernel's struct pt_regs, which of them carry arguments
 * and results, numbers of system calls, names of registers. The runtime in the kernel shares it, so it has only
 * numbers, but for the last part.
 */
#ifndef ET_ARCH_X86_64_H
#define ET_ARCH_X86_64_H

/* Words of struct pt_regs, in their order. */
enum {
	PTW_R15,
	PTW_R14,
	PTW_R13,
	PTW_R12,
	PTW_BP,
	PTW_BX,
	PTW_R11,
	PTW_R10,
	PTW_R9,
	PTW_R8,
	PTW_AX,
	PTW_CX,
	PTW_DX,
	PTW_SI,
	PTW_DI,
	PTW_ORIG_AX,
	PTW_IP,
	PTW_CS,
	PTW_FLAGS,
	PTW_SP,
	PTW_SS,
	ARCH_REGS /* how many there are */
};
enum {
	ARCH_CALL = PTW_ORIG_AX, /* the number of a system call, kept for restarting it; below 0 if there is none */
	ARCH_RESULT = PTW_AX,    /* of a function */
	ARCH_PC = PTW_IP,
	ARCH_SP = PTW_SP,
};

/* Arguments of a function that are in registers; the others follow on the stack, above the return address. */
enum { ARCH_NARGS = 6 };
#define ARCH_ARGS \
	{ \
		PTW_DI, PTW_SI, PTW_DX, PTW_CX, PTW_R8, PTW_R9 \
	}
/* Words between the stack pointer at a function's beginning and its first argument on the stack: the return address. */
enum { ARCH_STACK_ARGS = 1 };
/* Those of a system call are within the first words of struct pt_regs. The first one is kept in another place until the
 * call returns, if the result comes into its register. */
enum { ARCH_CALL_NARGS = 6, ARCH_CALL_WORDS = ARCH_CALL, ARCH_CALL_KEPT = PTW_DI };
#define ARCH_CALL_ARGS \
	{ \
		PTW_DI, PTW_SI, PTW_DX, PTW_R10, PTW_R8, PTW_R9 \
	}

/* Numbers of system calls that the runtime distinguishes. */
enum {
	ARCH_NR_SETPRIORITY = 141,
	ARCH_NR_SCHED_SETPARAM = 142,
	ARCH_NR_SCHED_SETSCHEDULER = 144,
	ARCH_NR_SCHED_SETATTR = 314,
	ARCH_NR_EXECVEAT = 322,
};

/* Whether the kernel has tracepoints of page faults. In the error code of one: the page was there. */
#define ARCH_FAULT_POINTS 1
enum { ARCH_FAULT_PROT = 1 };

/* Functions of the kernel between a tracepoint and its program: not those that end with a jump to the next. */
enum { ARCH_TRACEPOINT_FRAMES = 2 };

/* Bits of an address of user space. */
enum { ARCH_USER_BITS = 47 };
/* DWARF's numbers of registers in .eh_frame: those that a walk needs. Erlang code has its process in r13, and its stack
 * is the processor's. */
enum { ARCH_DW_FP = 6, ARCH_DW_SP = 7, ARCH_DW_PROCESS = 13, ARCH_DW_RA = 16, ARCH_DW_STACK = 1 << 16 };
/* How Erlang's code uses the stack, for the runtime in the kernel. */
#define ARCH_BPF "arch/x86_64.bpf.h"

/* O_LARGEFILE, as the kernel sees it in the arguments of open(2): the C library's is 0. */
enum { ARCH_LARGEFILE = 0100000 };

/* uregs[]: X(DTrace's number, word of struct pt_regs) */
#define ARCH_UREGS(X) \
	X(0, PTW_R15) \
	X(1, PTW_R14) \
	X(2, PTW_R13) \
	X(3, PTW_R12) \
	X(4, PTW_R11) \
	X(5, PTW_R10) \
	X(6, PTW_R9) \
	X(7, PTW_R8) \
	X(8, PTW_DI) \
	X(9, PTW_SI) \
	X(10, PTW_BP) \
	X(11, PTW_BX) \
	X(12, PTW_DX) \
	X(13, PTW_CX) \
	X(14, PTW_AX) \
	X(17, PTW_IP) \
	X(18, PTW_CS) \
	X(19, PTW_FLAGS) \
	X(20, PTW_SP) \
	X(21, PTW_SS)
/* The others are kept with the thread: registers of the last fault, and segments from the last switch. X(DTrace's
 * number, where, bytes): where is a constant of the runtime, RT_C_… */
#define ARCH_THREAD_UREGS(X) \
	X(15, THREAD_TRAP, 8) \
	X(16, THREAD_ERROR, 8) \
	X(22, THREAD_FS, 2) \
	X(23, THREAD_GS, 2) \
	X(24, THREAD_ES, 2) \
	X(25, THREAD_DS, 2) \
	X(26, THREAD_POINTER, 8) \
	X(27, THREAD_GSBASE, 8)
/* Where they are in struct task_struct. THREAD_POINTER every processor has: where the C library keeps what is of a
 * thread. */
#define ARCH_THREAD_MEMBERS(X) \
	X(THREAD_TRAP, "thread.trap_nr") \
	X(THREAD_ERROR, "thread.error_code") \
	X(THREAD_FS, "thread.fsindex") \
	X(THREAD_GS, "thread.gsindex") \
	X(THREAD_ES, "thread.es") \
	X(THREAD_DS, "thread.ds") \
	X(THREAD_POINTER, "thread.fsbase") \
	X(THREAD_GSBASE, "thread.gsbase")

/* The constants of D: X(name, DTrace's number), sorted by name. */
enum { ARCH_UREGS_LAST = 27 };
#define ARCH_UREGS_HINT "use the names R_RAX, R_RSP ..."
/* clang-format off */
#define ARCH_UREGS_NAMES(X) \
	X(R_CS, 18) X(R_DS, 25) X(R_EAX, 14) X(R_EBP, 10) X(R_EBX, 11) X(R_ECX, 13) X(R_EDI, 8) X(R_EDX, 12) \
	X(R_EFL, 19) X(R_EIP, 17) X(R_ERR, 16) X(R_ES, 24) X(R_ESI, 9) X(R_ESP, 20) X(R_FP, 10) X(R_FS, 22) \
	X(R_FSBASE, 26) X(R_GS, 23) X(R_GSBASE, 27) X(R_PC, 17) X(R_PS, 19) X(R_R0, 14) X(R_R1, 11) X(R_R10, 5) \
	X(R_R11, 4) X(R_R12, 3) X(R_R13, 2) X(R_R14, 1) X(R_R15, 0) X(R_R8, 7) X(R_R9, 6) X(R_RAX, 14) \
	X(R_RBP, 10) X(R_RBX, 11) X(R_RCX, 13) X(R_RDI, 8) X(R_RDX, 12) X(R_RFL, 19) X(R_RIP, 17) X(R_RSI, 9) \
	X(R_RSP, 20) X(R_SP, 20) X(R_SS, 21) X(R_TRAPNO, 15) X(R_UESP, 20)
/* clang-format on */

/* The processor as gcc and OTP call it. */
#define ARCH_NAME "x86_64"
/* The code about it: code.h */
#define ARCH_CODE arch_x86_64

/* The instruction of a breakpoint, how far behind it a program stops, and where, in struct user_regs_struct. */
#define ARCH_TRAP 0xccul
#define ARCH_TRAP_MASK 0xfful
#define ARCH_TRAP_AFTER 1
#define ARCH_USER_PC(regs) (regs).rip

#ifdef __x86_64__ /* not in the runtime */
/* Says to the processor that this is a loop that waits. */
static inline void
arch_pause(void)
{
	__builtin_ia32_pause();
}

/* The address that the processor's ABI has for the thread, with every C library. */
static inline __UINTPTR_TYPE__
arch_thread(void)
{
	__UINTPTR_TYPE__ self;
	__asm__("mov %%fs:0, %0" : "=r"(self));
	return self;
}
#endif

#endif
