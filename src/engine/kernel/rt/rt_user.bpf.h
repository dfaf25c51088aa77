/*
 * Probes in processes: a part of rt.bpf.c. Arguments by the ABI and by the notes of USDT probes, and
 * the registers of the process.
 */

/* Arguments that are not in registers are on the stack. What cannot be read is 0. */
fn_ u64
rt_stack_args(struct rt *st, u64 sp)
{
	if (!st)
		return 0;
	for (u32 i = ARCH_NARGS; i < RT_NARGS; i++) {
		u64 v = 0;
		read_user(&v, 8, sp + 8 * (i - ARCH_NARGS + ARCH_STACK_ARGS));
		st->args[i] = v;
	}
	return 0;
}

/* ---- USDT ---- */

/* Returns the probe of a place in this process, if that depends on the process: its index plus one, or 0. */
fn_ u64
rt_usdt_probe(u32 n)
{
	struct rt_locpid key = {n, pid_tgid() >> 32};
	u32 *probe = map_lookup(MAP(LOCPIDS), &key);
	if (!probe) {
		key.pid = 0;
		probe = map_lookup(MAP(LOCPIDS), &key);
	}
	return probe ? *probe : 0;
}

inline_ u64
user_reg(struct rt *st, u32 word)
{
	return word < ARCH_REGS ? *(u64 *)AT(st, RT_TMP0 + 8 * word) : 0;
}

fn_ u64
rt_usdt_args(struct rt *st, u32 n)
{
	if (!st)
		return 0;
	struct rt_loc *loc = map_lookup(MAP(LOCS), &n);
	if (!loc)
		return 0;
	read_kernel(&st->mem[RT_TMP0], 8 * ARCH_REGS, task_pt_regs(current_task_btf()));
	st->nargs = loc->nargs;
	/* Unrolled, because clang makes a loop of it that is entered in the middle, and Linux before about 6.2
	 * refuses such loops. */
#pragma clang loop unroll(full)
	for (u32 i = 0; i < RT_NARGS; i++) {
		const struct rt_arg *a = &loc->args[i];
		u64 v = 0;
		if (i < loc->nargs) {
			v = a->disp;
			if (a->kind == RT_ARG_REG)
				v = user_reg(st, a->base) >> (a->shift & 63);
			if (a->kind == RT_ARG_MEM) {
				u64 from = v + user_reg(st, a->base) + (user_reg(st, a->index) << (a->scale & 3));
				u32 bytes = a->size;
				v = 0;
				HIDE(bytes);
				bytes &= 15;
				if (bytes <= 8)
					read_user(&v, bytes, from);
			}
			if (a->kind == RT_ARG_NONE)
				v = 0;
			u32 by = (64 - 8 * a->size) & 63;
			v <<= by;
			v = a->is_signed ? (u64)((s64)v >> by) : v >> by;
		}
		st->args[i] = v;
	}
	return 0;
}

/* ---- uregs[] ---- */

inline_ u64
thread_reg(struct rt *st, u64 off, u32 size, u64 i)
{
	if (off == ~0ull)
		return fail(st, ILLOP, i);
	st->res = task_word(current_task_btf(), off, size);
	return 0;
}

/* By DTrace's number of the register; 255 if Linux does not keep it there. */
fn_ u64
rt_ureg(struct rt *st, u64 i)
{
	if (!st)
		return 0;
	u64 word = 255, v = 0;
	switch (i) {
#define X(n, at) \
	case n: \
		word = at; \
		break;
		ARCH_UREGS(X)
#undef X
#define X(n, at, size) \
	case n: \
		return thread_reg(st, CONST(at), size, i);
		ARCH_THREAD_UREGS(X)
#undef X
	default:
		break;
	}
	if (word == 255)
		return fail(st, ILLOP, i);
	read_kernel(&v, 8, task_pt_regs(current_task_btf()) + 8 * word);
	st->res = v;
	return 0;
}
