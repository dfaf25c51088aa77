/*
 * Stacks of Erlang processes: a part of rt.bpf.c.
 *
 * While a thread of a VM runs Erlang code that the JIT compiler has made, the processor's stack pointer is that of the
 * Erlang process. Its stack has terms and return addresses. A term never has both lowest bits clear, a return address
 * has (but for the innermost), and it lies where the VM keeps code. Below the first frame is the address at which a
 * process ends. So the stack is read word by word up to there.
 *
 * For C code the JIT's code changes to the thread's own stack, and back afterwards: the first instruction that loads
 * the stack pointer after the call says where the Erlang stack is meanwhile. That is in the process's structure, to
 * which r13 points, or in rbp. rbx always points into the thread's own stack, just above what C code uses.
 *
 * C code is walked by the unwinding data of its files, as tables (RT_M_ROWS). That gives r13 and rbp as they were when
 * Erlang's code called it.
 *
 * All this is about x86-64. On other processors these threads have stacks as other threads do: functions of C.
 */
#if !ARCH_ERLANG_STACKS
fn_ u64
rt_erlang_stack(struct rt *st, u64 most)
{
	return 0;
}
#else

enum {
	ERLANG_WORDS = 8192, /* of a stack that are looked at */
	ERLANG_CHUNK = 64,   /* that are read together */
	ERLANG_CODE = 64,    /* bytes behind a call that are looked at */
	ERLANG_NEAR = 4096   /* bytes below rbx that are the thread's own stack */
};

/* The numbers are in the state: on the stack the verifier would follow each of their values. */
enum { EW_N, EW_MOST, EW_SP, EW_BP, EW_PROCESS, EW_WHOLE, EW_ENDED, EW_IP, EW_PC, EW_LOW, EW_HIGH, EW_FROM };
struct erlwalk {
	struct rt *st;
	const struct rt_vm *vm;
};
#define EW(w, n) ((w)->st->work[EW_##n])

/* The frames are gathered in RT_TMP1. */
inline_ void
put_frame(struct erlwalk *w, u64 addr)
{
	*(u64 *)AT(w->st, RT_TMP1 + 8 * (EW(w, N) & 127)) = addr;
	EW(w, N)++;
}

inline_ u64
is_erlang(const struct rt_vm *vm, u64 addr)
{
	u64 is = 0;
#pragma clang loop unroll(full)
	for (u32 i = 0; i < RT_VM_SPANS; i++)
		is |= addr - vm->spans[i].start < vm->spans[i].size;
	return is;
}

/*
 * Returns whether the code in front of an address calls other code of the VM. A piece of code that many functions share
 * has a return address on top of the stack that may be anywhere, because nobody but the processor needs it.
 */
inline_ u64
follows_call(struct erlwalk *w, u64 addr)
{
	u64 code = 0;
	read_user(&code, 5, addr - 5);
	return (code & 0xff) == 0xe8 && is_erlang(w->vm, addr + (u64)(s64)(int)(code >> 8));
}

static long
erlang_word(u32 i, void *ctx)
{
	struct erlwalk *w = ctx;
	u64 v = 0;
	if (i % ERLANG_CHUNK == 0)
		EW(w, WHOLE) = read_user(AT(w->st, RT_TMP0), 8 * ERLANG_CHUNK, EW(w, SP) + 8 * (u64)i) == 0;
	if (EW(w, WHOLE))
		v = *(u64 *)AT(w->st, RT_TMP0 + 8 * (i % ERLANG_CHUNK));
	else if (read_user(&v, 8, EW(w, SP) + 8 * (u64)i))
		return 1;
	if (v == w->vm->normal_exit) {
		EW(w, ENDED) = 1;
		return 1;
	}
	if (!is_erlang(w->vm, v) || (v & 3 && (i > 1 || !follows_call(w, v))))
		return 0;
	put_frame(w, v);
	return ends(EW(w, N) >= EW(w, MOST));
}

/* Looks for the instruction that loads the stack pointer: from an offset of r13, or from rbp. */
static long
erlang_load(u32 i, void *ctx)
{
	struct erlwalk *w = ctx;
	u64 at = RT_TMP0 + (i % ERLANG_CODE);
	u32 code = *(u32 *)AT(w->st, at), three = code & 0xffffff;
	if (three == 0xec8948 || three == 0xe58b48) {
		EW(w, SP) = EW(w, BP);
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

/* In EW(w, SP): where the Erlang stack is while C code runs that returns to `to`; 0 if that cannot be seen. */
inline_ void
erlang_stack_from_c(struct erlwalk *w, u64 to)
{
	EW(w, SP) = 0;
	/* There the VM changes from one process to the next. */
	if (to - w->vm->scheduling.start < w->vm->scheduling.size)
		return;
	*(u64 *)AT(w->st, RT_TMP0 + ERLANG_CODE) = 0;
	if (read_user(AT(w->st, RT_TMP0), ERLANG_CODE, to))
		return;
	loop(ERLANG_CODE - 8, erlang_load, w, 0);
}

/* ---- C code ---- */

static long
find_file(u32 i, void *ctx)
{
	struct erlwalk *w = ctx;
	const struct rt_code *f = &w->vm->files[i & (RT_VM_FILES - 1)];
	u64 at = EW(w, IP) - f->span.start;
	if (at >= f->span.size)
		return 0;
	EW(w, PC) = EW(w, IP) - f->base;
	EW(w, LOW) = f->first;
	EW(w, HIGH) = (u64)f->first + f->n;
	return 1;
}

/* Between LOW, whose row is at or before the place, and HIGH, whose row is behind it. */
static long
find_row(u32 i, void *ctx)
{
	struct erlwalk *w = ctx;
	u32 mid = (EW(w, LOW) + EW(w, HIGH)) / 2;
	if (EW(w, HIGH) - EW(w, LOW) < 2)
		return 1;
	const struct rt_row *r = map_lookup(MAP(ROWS), &mid);
	if (!r)
		return 1;
	if (r->pc <= EW(w, PC))
		EW(w, LOW) = mid;
	else
		EW(w, HIGH) = mid;
	return 0;
}

inline_ u64
saved_word(u64 now, u64 cfa, s64 at)
{
	u64 v = 0;
	if (at == 0)
		return now;
	if (at != RT_ROW_LOST)
		read_user(&v, 8, cfa + (u64)at);
	return v;
}

/* One step from a function of C to its caller. */
static long
c_frame(u32 i, void *ctx)
{
	struct erlwalk *w = ctx;
	u64 ret = 0;
	EW(w, HIGH) = 0;
	loop(RT_VM_FILES, find_file, w, 0);
	if (EW(w, HIGH) == 0)
		return 1;
	loop(20, find_row, w, 0);
	u32 at = EW(w, LOW);
	const struct rt_row *r = map_lookup(MAP(ROWS), &at);
	if (!r || r->pc > EW(w, PC) || (r->base != RT_ROW_SP && r->base != RT_ROW_BP && r->base != RT_ROW_PLT))
		return 1;
	u64 cfa = (r->base == RT_ROW_BP ? EW(w, BP) : EW(w, SP)) + (u64)(s64)r->cfa;
	if (r->base == RT_ROW_PLT)
		cfa = EW(w, SP) + 8 + ((EW(w, PC) & 15) >= (u64)(s64)r->cfa ? 8 : 0);
	s64 bp = r->bp, r13 = r->r13;
	if (cfa <= EW(w, SP) || read_user(&ret, 8, cfa - 8) || ret == 0)
		return 1;
	EW(w, BP) = saved_word(EW(w, BP), cfa, bp);
	EW(w, PROCESS) = saved_word(EW(w, PROCESS), cfa, r13);
	EW(w, SP) = cfa;
	put_frame(w, ret);
	if (is_erlang(w->vm, ret)) {
		EW(w, FROM) = ret;
		return 1;
	}
	/* The call may be the last instruction of its function. */
	EW(w, IP) = ret - 1;
	return ends(EW(w, N) >= EW(w, MOST));
}

/* Returns the number of frames of the current thread at RT_TMP1, innermost first, with zeroes behind them; 0 if it is
 * not a VM's. Of code without unwinding data only the innermost frame is known. */
fn_ u64
rt_erlang_stack(struct rt *st, u64 most)
{
	u32 pid = pid_tgid() >> 32;
	struct rt_vm *vm = map_lookup(MAP(VMS), &pid);
	if (!st || !vm)
		return 0;
	u64 regs[ARCH_REGS] = {0};
	read_kernel(regs, sizeof regs, task_pt_regs(current_task_btf()));
	struct erlwalk walk = {st, vm}, *w = &walk;
	EW(w, N) = EW(w, ENDED) = EW(w, FROM) = 0;
	EW(w, MOST) = most;
	EW(w, SP) = regs[PTW_SP];
	EW(w, BP) = regs[PTW_BP];
	EW(w, PROCESS) = regs[PTW_R13];
	EW(w, IP) = regs[PTW_IP];
	rt_zero(st, RT_TMP1, 8 * 128);
	put_frame(w, regs[PTW_IP]);
	if (!is_erlang(vm, regs[PTW_IP])) {
		loop(most, c_frame, w, 0);
		if (!EW(w, FROM))
			return EW(w, N) < most ? EW(w, N) : most;
	} else if (regs[PTW_BX] - regs[PTW_SP] < ERLANG_NEAR)
		EW(w, FROM) = regs[PTW_IP];
	u64 known = EW(w, N);
	if (EW(w, FROM))
		erlang_stack_from_c(w, EW(w, FROM));
	if (EW(w, SP) && !(EW(w, SP) & 7) && EW(w, N) < most)
		loop(ERLANG_WORDS, erlang_word, w, 0);
	/* What was not read to its end may be something else. */
	if (EW(w, FROM) && !EW(w, ENDED) && EW(w, N) < most) {
		rt_zero(st, RT_TMP1 + 8 * (known & 127), 8 * (128 - (known & 127)));
		EW(w, N) = known;
	}
	return EW(w, N) < most ? EW(w, N) : most;
}
#endif
