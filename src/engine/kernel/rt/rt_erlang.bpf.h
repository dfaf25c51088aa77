/*
 * Stacks of Erlang processes: a part of rt.bpf.c.
 *
 * The stack of an Erlang process has terms and return addresses. A term never has both lowest bits clear, a return
 * address has (but for the innermost on some processors), and it lies where the VM keeps code. Below the first frame is
 * the address at which a process ends. So the stack is read word by word up to there.
 *
 * Where that stack is while a thread runs Erlang code that the JIT compiler has made, and while such code calls C code,
 * depends on the processor: see ARCH_BPF. C code is walked by the unwinding data of its files, as tables (RT_M_ROWS).
 * That gives the registers that are of interest as they were when Erlang's code called it.
 */
enum {
	ERLANG_WORDS = 8192, /* of a stack that are looked at */
	ERLANG_CHUNK = 64    /* that are read together */
};

/*
 * The numbers are in the state: on the stack the verifier would follow each of their values.
 *
 * SP, FP, LR, PROCESS and STACK are registers as they were in the frame that the walk has come to; LR is known only in
 * the innermost. FROM: where Erlang's code called what is not Erlang's, or 0. SAME: the last frame, if it may be on top
 * of the Erlang stack once more, or 0.
 */
enum {
	EW_N,
	EW_MOST,
	EW_SP,
	EW_FP,
	EW_LR,
	EW_PROCESS,
	EW_STACK,
	EW_WHOLE,
	EW_ENDED,
	EW_IP,
	EW_PC,
	EW_LOW,
	EW_HIGH,
	EW_FROM,
	EW_SAME
};
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

#include ARCH_BPF

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
	if (i == 0 && v == EW(w, SAME))
		return 0;
	if (!is_erlang(w->vm, v) || (v & 3 && (i > 1 || !arch_follows_call(w, v))))
		return 0;
	put_frame(w, v);
	return ends(EW(w, N) >= EW(w, MOST));
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

inline_ u32
base_of(const struct rt_row *r)
{
	return (u32)r->cfa & ((1 << RT_ROW_BASE_BITS) - 1);
}

/* Finds the row of a place. Returns NULL if there is none that says something. */
inline_ const struct rt_row *
row_of(struct erlwalk *w)
{
	EW(w, HIGH) = 0;
	loop(RT_VM_FILES, find_file, w, 0);
	if (EW(w, HIGH) == 0)
		return 0;
	loop(20, find_row, w, 0);
	u32 at = EW(w, LOW);
	const struct rt_row *r = map_lookup(MAP(ROWS), &at);
	return r && r->pc <= EW(w, PC) && base_of(r) != RT_ROW_UNKNOWN ? r : 0;
}

/* One step from a function of C to its caller. */
static long
c_frame(u32 i, void *ctx)
{
	struct erlwalk *w = ctx;
	const struct rt_row *r = row_of(w);
	/* Short pieces of code without such data (jumps to other libraries) change no register, so the return address
	 * is where it was. It may be an older one where the data is missing for another reason and the function has
	 * called others; on arm64 only, because LR is 0 elsewhere. */
	u64 ret = i == 0 ? EW(w, LR) : 0, cfa = EW(w, SP);
	if (r) {
		u32 base = base_of(r);
		s64 ra = r->ra, fp = r->fp, process = r->process, stack = r->stack, off = r->cfa >> RT_ROW_BASE_BITS;
		if (base == RT_ROW_END)
			return 1;
		cfa = (base == RT_ROW_FP ? EW(w, FP) : EW(w, SP)) + (u64)off;
		if (base == RT_ROW_PLT)
			cfa = arch_jump_frame(w, (u64)off);
		if (cfa < EW(w, SP) || (cfa == EW(w, SP) && !ret))
			return 1;
		ret = saved_word(ret, cfa, ra);
		EW(w, FP) = saved_word(EW(w, FP), cfa, fp);
		EW(w, PROCESS) = saved_word(EW(w, PROCESS), cfa, process);
		EW(w, STACK) = saved_word(EW(w, STACK), cfa, stack);
	}
	ret = arch_code_address(ret);
	if (ret == 0)
		return 1;
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
 * not a VM's. Of code without unwinding data only the innermost frame is known, and its caller by the link register. */
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
	EW(w, N) = EW(w, ENDED) = EW(w, FROM) = EW(w, SAME) = EW(w, STACK) = 0;
	EW(w, MOST) = most;
	EW(w, IP) = regs[ARCH_PC];
	arch_registers(w, regs);
	rt_zero(st, RT_TMP1, 8 * 128);
	put_frame(w, regs[ARCH_PC]);
	if (is_erlang(vm, regs[ARCH_PC]))
		arch_in_erlang(w, regs);
	else {
		loop(most, c_frame, w, 0);
		if (!EW(w, FROM))
			return EW(w, N) < most ? EW(w, N) : most;
	}
	if (EW(w, FROM)) {
		/* There the VM changes from one process to the next. */
		if (EW(w, FROM) - vm->scheduling.start < vm->scheduling.size)
			EW(w, SP) = 0;
		else
			arch_erlang_stack(w, EW(w, FROM));
	}
	u64 known = EW(w, N);
	if (EW(w, SP) && !(EW(w, SP) & 7) && EW(w, N) < most)
		loop(ERLANG_WORDS, erlang_word, w, 0);
	/* What was not read to its end may be something else. */
	if (EW(w, FROM) && !EW(w, ENDED) && EW(w, N) < most) {
		rt_zero(st, RT_TMP1 + 8 * (known & 127), 8 * (128 - (known & 127)));
		EW(w, N) = known;
	}
	return EW(w, N) < most ? EW(w, N) : most;
}
