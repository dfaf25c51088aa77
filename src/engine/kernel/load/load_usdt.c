/*
 * Arguments of USDT probes, as their notes say: in registers, constants or memory.
 *
 * If there are few places, each has its own instructions. If there are many, a function of the runtime reads the table
 * of places.
 */
#include "arch/arch.h"
#include "engine/kernel/load/load.h"

#include <string.h>

enum { MAX_INLINE = 16 };

static bool
same_args(const struct load *l, const struct rt_loc *a, const struct rt_loc *b)
{
	uint32_t n = l->nargs < RT_NARGS ? l->nargs : RT_NARGS;
	/* rt_argx() needs their number. */
	return memcmp(a->args, b->args, n * sizeof a->args[0]) == 0 && (n < RT_NARGS || a->nargs == b->nargs);
}

bool
load_usdt_needs_place(const struct load *l)
{
	for (unsigned i = 1; i < l->use->nlocs; i++)
		if (!same_args(l, &l->use->locs[0], &l->use->locs[i]))
			return true;
	return false;
}

/* r1 = a word of the process's registers */
static void
get_reg(struct prog *p, unsigned dst, unsigned word)
{
	if (word < ARCH_REGS)
		em_ldx(p, dst, R8, 8 * (int)word);
	else
		em_movi(p, dst, 0);
}

static void
get_arg(struct prog *p, const struct rt_arg *a)
{
	int bits = a->is_signed ? -8 * a->size : 8 * a->size;
	switch (a->kind) {
	case RT_ARG_CONST:
		prog_imm64(p, R1, 0, (uint64_t)a->disp);
		break;
	case RT_ARG_REG:
		get_reg(p, R1, a->base);
		if (a->shift)
			em_alui(p, BPF_RSH, R1, a->shift & 63);
		break;
	case RT_ARG_MEM:
		prog_imm64(p, R3, 0, (uint64_t)a->disp);
		get_reg(p, R1, a->base);
		em_alu(p, BPF_ADD, R3, R1);
		if (a->index < ARCH_REGS) {
			get_reg(p, R1, a->index);
			em_alui(p, BPF_LSH, R1, a->scale & 3);
			em_alu(p, BPF_ADD, R3, R1);
		}
		/* What cannot be read is 0. */
		em_sti(p, R10, -16, 0);
		em_mov(p, R1, R10);
		em_alui(p, BPF_ADD, R1, -16);
		em_movi(p, R2, a->size);
		em_help(p, HELP_READ_USER);
		em_ldx(p, R1, R10, -16);
		break;
	default:
		em_movi(p, R1, 0);
		return;
	}
	em_extend(p, R1, bits);
}

static void
get_args(struct load *l, const struct rt_loc *loc)
{
	em_sti(&l->p, R9, ST(nargs), (int32_t)loc->nargs);
	for (uint32_t i = 0; i < RT_NARGS && i < l->nargs; i++) {
		get_arg(&l->p, &loc->args[i]); /* past the last they are RT_ARG_NONE */
		em_stx(&l->p, R9, ST(args) + 8 * (int)i, R1);
	}
}

void
load_usdt_args(struct load *l)
{
	struct prog *p = &l->p;
	uint32_t over[MAX_INLINE], nover = 0;
	if (!load_usdt_needs_place(l)) {
		get_args(l, &l->use->locs[0]);
		return;
	}
	if (l->use->nlocs > MAX_INLINE) {
		em_mov(p, R1, R9);
		em_mov(p, R2, R7);
		prog_call_rt(p, "rt_usdt_args");
		return;
	}
	for (unsigned i = 0; i < l->use->nlocs; i++) {
		uint32_t other = em_jump(p, BPF_JNE, R7, (int32_t)i);
		get_args(l, &l->use->locs[i]);
		over[nover++] = em_jump(p, BPF_JA, 0, 0);
		em_here(p, other);
	}
	while (nover)
		em_here(p, over[--nover]);
}
