/*
 * How Erlang's code uses the stack on arm64: a part of rt_erlang.bpf.h.
 *
 * The stack of the Erlang process is in x20 and the process's structure in x21, as long as Erlang's code runs. The
 * processor's stack pointer is always that of the thread. A function of Erlang begins by pushing its return address
 * (x30) to the Erlang stack, and takes it back just before it returns or jumps to the function that it ends with.
 *
 * Code that many functions share is called with the processor's stack: there it keeps x29 and x30, in the usual chain
 * of frames, if it calls something itself. That chain ends where x29 is what it was when the thread began to run
 * Erlang's code.
 *
 * C code keeps x20 and x21, so walking C code by tables finds them. But it may move the Erlang stack (garbage
 * collection); then Erlang's code loads x20 from the process's structure after the call.
 */
enum {
	ERLANG_AROUND = 16, /* instructions on each side of a place that are looked at */
	ERLANG_FRAMES = 4,  /* of code that many functions share */
	ERLANG_FRAME = 256  /* most bytes of one */
};

/* Instructions, and those of their bits that count. */
#define PUSHES_LR(code) ((code) == 0xf81f8e9e)               /* str x30, [x20, #-8]! */
#define POPS_LR(code) (((code)&0xffe00fff) == 0xf840069e)    /* ldr x30, [x20], #n */
#define POPS_PAIR(code) (((code)&0xffc07fe0) == 0xa8c07a80)  /* ldp Xn, x30, [x20], #n */
#define LOADS_PAIR(code) (((code)&0xffc07fe0) == 0xa9407a80) /* ldp Xn, x30, [x20, #n] … */
#define DROPS(code) (((code)&0xff8003ff) == 0x91000294)      /* … and add x20, x20, #n after it */
#define ENTERS(code) ((code) == 0xa9bf7bfd)                  /* stp x29, x30, [sp, #-16]! */
#define LEAVES(code) ((code) == 0xa8c17bfd)                  /* ldp x29, x30, [sp], #16 */
#define COPIES_LR(code) (((code)&0xffffffe0) == 0xaa1e03e0)  /* mov Xn, x30 */
#define RETURNS(code) ((code) == 0xd65f03c0)                 /* ret */
#define CALLS(code) (((code)&0xfc000000) == 0x94000000 || ((code)&0xfffffc1f) == 0xd63f0000) /* bl, blr */
#define JUMPS(code) (((code)&0xfc000000) == 0x14000000 || ((code)&0xfffffc1f) == 0xd61f0000) /* b, br */
#define LOADS_STACK(code) (((code)&0xffc003ff) == 0xf94002b4)                                /* ldr x20, [x21, #n] */
#define LOADS_TWO(code) (((code)&0xffc07fe0) == 0xa94052a0) /* ldp Xn, x20, [x21, #n] */

inline_ void
arch_registers(struct erlwalk *w, const u64 *regs)
{
	EW(w, SP) = regs[PTW_SP];
	EW(w, FP) = regs[PTW_FP];
	EW(w, PROCESS) = regs[PTW_X21];
	EW(w, STACK) = regs[PTW_X20];
	EW(w, LR) = regs[PTW_LR];
}

/* A saved return address may be signed, in the bits that addresses do not have. */
inline_ u64
arch_code_address(u64 addr)
{
	return addr & (((u64)1 << ARCH_USER_BITS) - 1);
}

/* Jumps to other libraries have no rules of their own. */
inline_ u64
arch_jump_frame(struct erlwalk *w, u64 pushed)
{
	return EW(w, SP);
}

/* Every return address on the stack is that of an instruction, so it is like those that others push. */
inline_ u64
arch_follows_call(struct erlwalk *w, u64 addr)
{
	return 0;
}

/*
 * Whether x30 is a return address that is not on the Erlang stack, or is there too (LR_BOTH), or something old. What is
 * in front of the place tells if x30 was just taken from the stack; what follows, if it is still to be put there.
 */
enum { LR_OLD, LR_ONLY, LR_BOTH };

static long
instruction_before(u32 i, void *ctx)
{
	struct erlwalk *w = ctx;
	u32 code = *(u32 *)AT(w->st, RT_TMP0 + 4 * ((ERLANG_AROUND - 1 - i) % ERLANG_AROUND));
	if (DROPS(code))
		EW(w, LOW) = 1;
	if (POPS_LR(code) || POPS_PAIR(code) || (LOADS_PAIR(code) && EW(w, LOW)))
		EW(w, HIGH) = LR_ONLY;
	else if (LEAVES(code) || (ENTERS(code) && i == 0))
		EW(w, HIGH) = LR_BOTH;
	else
		return ends(CALLS(code) || JUMPS(code) || RETURNS(code) || PUSHES_LR(code) || ENTERS(code));
	return 1;
}

static long
instruction_after(u32 i, void *ctx)
{
	struct erlwalk *w = ctx;
	u32 code = *(u32 *)AT(w->st, RT_TMP0 + 4 * (ERLANG_AROUND + i % ERLANG_AROUND));
	if (PUSHES_LR(code))
		EW(w, HIGH) = LR_ONLY;
	else if (ENTERS(code) || COPIES_LR(code) || RETURNS(code))
		EW(w, HIGH) = LR_BOTH;
	else
		return ends(
		    CALLS(code) || JUMPS(code) || POPS_LR(code) || POPS_PAIR(code) || LOADS_PAIR(code) || LEAVES(code));
	return 1;
}

/* The thread was stopped in Erlang's code. */
inline_ void
arch_in_erlang(struct erlwalk *w, const u64 *regs)
{
	u64 ip = regs[PTW_PC], lr = regs[PTW_LR];
	EW(w, FROM) = ip;
	if (ip - w->vm->scheduling.start < w->vm->scheduling.size || !is_erlang(w->vm, lr) || lr & 3 ||
	    read_user(AT(w->st, RT_TMP0), 8 * ERLANG_AROUND, ip - 4 * ERLANG_AROUND))
		return;
	EW(w, LOW) = EW(w, HIGH) = LR_OLD;
	loop(ERLANG_AROUND, instruction_before, w, 0);
	if (EW(w, HIGH) == LR_OLD)
		loop(ERLANG_AROUND, instruction_after, w, 0);
	if (EW(w, HIGH) == LR_OLD)
		return;
	put_frame(w, lr);
	if (EW(w, HIGH) == LR_BOTH)
		EW(w, SAME) = lr;
}

/* One frame of code that many functions share, on the thread's own stack. */
static long
shared_frame(u32 i, void *ctx)
{
	struct erlwalk *w = ctx;
	u64 frame[2] = {0};
	if (read_user(frame, sizeof frame, EW(w, FP)) || frame[0] <= EW(w, FP) || frame[0] - EW(w, FP) > ERLANG_FRAME ||
	    !is_erlang(w->vm, frame[1]) || frame[1] & 3)
		return 1;
	EW(w, FP) = frame[0];
	/* Before its frame was made and after it was left, x30 has the same. */
	if (EW(w, SAME) != frame[1])
		put_frame(w, frame[1]);
	EW(w, SAME) = frame[1];
	return ends(EW(w, N) >= EW(w, MOST));
}

/* Looks for the instruction that loads x20 from an offset of x21. */
static long
erlang_load(u32 i, void *ctx)
{
	struct erlwalk *w = ctx;
	u32 code = *(u32 *)AT(w->st, RT_TMP0 + 4 * (i % ERLANG_AROUND));
	u64 off = 0, sp = 0;
	if (LOADS_STACK(code))
		off = 8 * (u64)(code >> 10 & 0xfff);
	else if (LOADS_TWO(code))
		off = 8 * ((u64)(code >> 15 & 0x7f) + 1);
	else
		return ends(CALLS(code) || JUMPS(code) || RETURNS(code));
	read_user(&sp, 8, EW(w, PROCESS) + off);
	EW(w, SP) = sp;
	return 1;
}

/* In EW(w, SP): where the Erlang stack is while code runs that returns to `to`, or that is there. */
inline_ void
arch_erlang_stack(struct erlwalk *w, u64 to)
{
	loop(ERLANG_FRAMES, shared_frame, w, 0);
	EW(w, SP) = EW(w, STACK);
	if (read_user(AT(w->st, RT_TMP0), 4 * ERLANG_AROUND, to))
		return;
	loop(ERLANG_AROUND, erlang_load, w, 0);
}
