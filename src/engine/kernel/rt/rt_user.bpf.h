/*
 * Probes in processes: a part of rt.bpf.c. Arguments by the ABI of x86-64 and by the notes of USDT probes, and
 * the registers of the process.
 */

/* The 7th argument and on are on the stack, above the return address. What cannot be read is 0. */
fn_ u64
rt_stack_args(struct rt *st, u64 sp)
{
	if (!st)
		return 0;
	for (u32 i = 6; i < RT_NARGS; i++) {
		u64 v = 0;
		read_user(&v, 8, sp + 8 * (i - 5));
		st->args[i] = v;
	}
	return 0;
}

/* ---- USDT ---- */

/* The probe of a place in this process, where that depends on it: its index and 1, or 0. */
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
	return word < 21 ? *(u64 *)AT(st, RT_TMP0 + 8 * word) : 0;
}

fn_ u64
rt_usdt_args(struct rt *st, u32 n)
{
	if (!st)
		return 0;
	struct rt_loc *loc = map_lookup(MAP(LOCS), &n);
	if (!loc)
		return 0;
	read_kernel(&st->mem[RT_TMP0], 168, task_pt_regs(current_task_btf()));
	st->nargs = loc->nargs;
	/* Unrolled: Linux before 6.2 or so refuses a loop that is entered in its middle, which clang makes of it. */
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

/* By DTrace's number of the register; 255: Linux does not keep it there. */
fn_ u64
rt_ureg(struct rt *st, u64 i)
{
	if (!st)
		return 0;
	u64 word = 255, v = 0;
	switch (i) {
	case 0:
	case 1:
	case 2:
	case 3:
		word = i;
		break; /* r15 … r12 */
	case 4:
	case 5:
	case 6:
	case 7:
		word = i + 2;
		break; /* r11 … r8 */
	case 8:
		word = 14;
		break; /* di */
	case 9:
		word = 13;
		break;
	case 10:
		word = 4;
		break; /* bp */
	case 11:
		word = 5;
		break;
	case 12:
		word = 12;
		break; /* dx */
	case 13:
		word = 11;
		break;
	case 14:
		word = 10;
		break; /* ax */
	case 17:
		word = 16;
		break; /* ip */
	case 18:
		word = 17;
		break;
	case 19:
		word = 18;
		break; /* flags */
	case 20:
		word = 19;
		break;
	case 21:
		word = 20;
		break; /* ss */
	/* The kernel keeps these with the thread: those of the last fault, and segments as of the last switch. */
	case 15:
		return thread_reg(st, CONST(THREAD_TRAP), 8, i);
	case 16:
		return thread_reg(st, CONST(THREAD_ERROR), 8, i);
	case 22:
		return thread_reg(st, CONST(THREAD_FS), 2, i);
	case 23:
		return thread_reg(st, CONST(THREAD_GS), 2, i);
	case 24:
		return thread_reg(st, CONST(THREAD_ES), 2, i);
	case 25:
		return thread_reg(st, CONST(THREAD_DS), 2, i);
	case 26:
		return thread_reg(st, CONST(THREAD_FSBASE), 8, i);
	case 27:
		return thread_reg(st, CONST(THREAD_GSBASE), 8, i);
	default:
		break;
	}
	if (word == 255)
		return fail(st, ILLOP, i);
	read_kernel(&v, 8, task_pt_regs(current_task_btf()) + 8 * word);
	st->res = v;
	return 0;
}
