/*
 * How Erlang's code uses the stack on x86-64: a part of rt_erlang.bpf.h.
 *
 * While a thread of a VM runs Erlang code that the JIT compiler has made, the processor's stack pointer is that of the
 * Erlang process. For C code the JIT's code changes to the thread's own stack, and back afterwards: the first
 * instruction that loads the stack pointer after the call says where the Erlang stack is meanwhile. That is in the
 * process's structure, to which r13 points, or in rbp. rbx always points into the thread's own stack, just above what C
 * code uses.
 */
enum {
	ERLANG_CODE = 64,  /* bytes behind a call that are looked at */
	ERLANG_NEAR = 4096 /* bytes below rbx that are the thread's own stack */
};

inline_ void
arch_registers(struct erlwalk *w, const u64 *regs)
{
	EW(w, SP) = regs[PTW_SP];
	EW(w, FP) = regs[PTW_BP];
	EW(w, PROCESS) = regs[PTW_R13];
	EW(w, LR) = 0;
}

inline_ u64
arch_code_address(u64 addr)
{
	return addr;
}

/* The caller's stack pointer within a jump to another library: UNWIND_PLT. */
inline_ u64
arch_jump_frame(struct erlwalk *w, u64 pushed)
{
	return EW(w, SP) + 8 + ((EW(w, PC) & 15) >= pushed ? 8 : 0);
}

/*
 * Returns whether the code in front of an address calls other code of the VM. A piece of code that many functions share
 * has a return address on top of the stack that may be anywhere, because nobody but the processor needs it.
 */
inline_ u64
arch_follows_call(struct erlwalk *w, u64 addr)
{
	u64 code = 0;
	read_user(&code, 5, addr - 5);
	return (code & 0xff) == 0xe8 && is_erlang(w->vm, addr + (u64)(s64)(int)(code >> 8));
}

/* The thread was stopped in Erlang's code: which may use the thread's own stack. */
inline_ void
arch_in_erlang(struct erlwalk *w, const u64 *regs)
{
	if (regs[PTW_BX] - regs[PTW_SP] < ERLANG_NEAR)
		EW(w, FROM) = regs[PTW_IP];
}

/* Looks for the instruction that loads the stack pointer: from an offset of r13, or from rbp. */
static long
erlang_load(u32 i, void *ctx)
{
	struct erlwalk *w = ctx;
	u64 at = RT_TMP0 + (i % ERLANG_CODE);
	u32 code = *(u32 *)AT(w->st, at), three = code & 0xffffff;
	if (three == 0xec8948 || three == 0xe58b48) {
		EW(w, SP) = EW(w, FP);
		return 1;
	}
	if (three == 0x658b49 || three == 0xa58b49) {
		s64 off = three == 0x658b49 ? (s64)(signed char)(code >> 24) : (s64) * (int *)AT(w->st, at + 3);
		u64 sp = 0;
		read_user(&sp, 8, EW(w, PROCESS) + (u64)off);
		EW(w, SP) = sp;
		return 1;
	}
	return 0;
}

/* In EW(w, SP): where the Erlang stack is while code runs that returns to `to`; 0 if that cannot be seen. */
inline_ void
arch_erlang_stack(struct erlwalk *w, u64 to)
{
	EW(w, SP) = 0;
	*(u64 *)AT(w->st, RT_TMP0 + ERLANG_CODE) = 0;
	if (read_user(AT(w->st, RT_TMP0), ERLANG_CODE, to))
		return;
	loop(ERLANG_CODE - 8, erlang_load, w, 0);
}
