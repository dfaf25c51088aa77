/*
 * What the kernel engine knows about x86-64: where registers are in the kernel's struct pt_regs, which of them carry
 * arguments and results, and numbers of system calls. The runtime shares it, so it has only numbers.
 */
#ifndef ET_ENGINE_KERNEL_ARCH_X86_64_H
#define ET_ENGINE_KERNEL_ARCH_X86_64_H

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

/* In the error code of a page fault: the page was there. */
enum { ARCH_FAULT_PROT = 1 };

/* How long an instruction is, or 0 if that differs (then sym/x86.h tells). */
enum { ARCH_INSTRUCTION = 0 };

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

#endif
