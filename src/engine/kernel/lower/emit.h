/* Short names for the instructions that lowering writes. Registers are BPF's: r9 is the state, r8 the context. */
#ifndef ET_ENGINE_KERNEL_LOWER_EMIT_H
#define ET_ENGINE_KERNEL_LOWER_EMIT_H

#include "engine/kernel/kern.h"

#include <stddef.h>

enum { R0, R1, R2, R3, R4, R5, R6, R7, R8, R9, R10 };
enum {
	HELP_LOOKUP = 1,
	HELP_UPDATE = 2,
	HELP_DELETE = 3,
	HELP_CPU = 8,
	HELP_WRITE_USER = 36,
	HELP_STACK = 67,
	HELP_READ_USER = 112,
	HELP_READ_KERNEL = 113,
	HELP_COOKIE = 174
};

#define ST(field) ((int)offsetof(struct rt, field))
#define ST_REG(n) (ST(regs) + 8 * (int)(n))
#define ST_SLOT(n) (ST(slots) + 8 * (int)(n))

static inline void
em_mov(struct prog *p, unsigned dst, unsigned src)
{
	prog_emit(p, BPF_ALU64 | BPF_MOV | BPF_X, dst, src, 0, 0);
}

static inline void
em_movi(struct prog *p, unsigned dst, int32_t imm)
{
	prog_emit(p, BPF_ALU64 | BPF_MOV | BPF_K, dst, 0, 0, imm);
}

static inline void
em_imm(struct prog *p, unsigned dst, uint64_t v)
{
	if ((int64_t)v >= INT32_MIN && (int64_t)v <= INT32_MAX)
		em_movi(p, dst, (int32_t)(int64_t)v);
	else
		prog_imm64(p, dst, 0, v);
}

static inline void
em_alu(struct prog *p, unsigned op, unsigned dst, unsigned src)
{
	prog_emit(p, (uint8_t)(BPF_ALU64 | op | BPF_X), dst, src, 0, 0);
}

static inline void
em_alui(struct prog *p, unsigned op, unsigned dst, int32_t imm)
{
	prog_emit(p, (uint8_t)(BPF_ALU64 | op | BPF_K), dst, 0, 0, imm);
}

static inline void
em_ldx(struct prog *p, unsigned dst, unsigned base, int off)
{
	prog_emit(p, BPF_LDX | BPF_MEM | BPF_DW, dst, base, off, 0);
}

static inline void
em_stx(struct prog *p, unsigned base, int off, unsigned src)
{
	prog_emit(p, BPF_STX | BPF_MEM | BPF_DW, base, src, off, 0);
}

static inline void
em_sti(struct prog *p, unsigned base, int off, int32_t imm)
{
	prog_emit(p, BPF_ST | BPF_MEM | BPF_DW, base, 0, off, imm);
}

/* A jump over what follows. Pass its result to em_here(). */
static inline uint32_t
em_jump(struct prog *p, unsigned op, unsigned dst, int32_t imm)
{
	prog_emit(p, (uint8_t)(BPF_JMP | op | BPF_K), dst, 0, 0, imm);
	return p->n - 1;
}

static inline void
em_here(struct prog *p, uint32_t from)
{
	if (!p->oom)
		p->insns[from].off = (int16_t)(p->n - from - 1);
}

static inline void
em_help(struct prog *p, int32_t helper)
{
	prog_emit(p, BPF_JMP | BPF_CALL, 0, 0, 0, helper);
}

static inline void
em_exit(struct prog *p)
{
	prog_emit(p, BPF_JMP | BPF_EXIT, 0, 0, 0, 0);
}

/* dst = address of offset `off` of the state's memory */
static inline void
em_mem(struct prog *p, unsigned dst, uint32_t off)
{
	em_mov(p, dst, R9);
	em_alui(p, BPF_ADD, dst, ST(mem) + (int32_t)off);
}

/* Cuts reg to |bits| and extends it, with its sign if bits is negative. */
static inline void
em_extend(struct prog *p, unsigned reg, int bits)
{
	int by = 64 - (bits < 0 ? -bits : bits);
	if (by == 0)
		return;
	em_alui(p, BPF_LSH, reg, by);
	em_alui(p, bits < 0 ? BPF_ARSH : BPF_RSH, reg, by);
}

/* st->thread, pid and tid are known from here on. */
static inline void
em_who(struct prog *p)
{
	em_ldx(p, R1, R9, ST(thread));
	uint32_t known = em_jump(p, BPF_JNE, R1, 0);
	em_mov(p, R1, R9);
	prog_call_rt(p, "rt_who");
	em_here(p, known);
}

/* r0 = who owns self->: the thread or, if a node is traced, perhaps the Erlang process that runs there. */
static inline void
em_owner(struct prog *p, bool node)
{
	if (!node) {
		em_who(p);
		em_ldx(p, R0, R9, ST(thread));
		return;
	}
	em_ldx(p, R0, R9, ST(owner));
	uint32_t known = em_jump(p, BPF_JNE, R0, 0);
	em_mov(p, R1, R9);
	prog_call_rt(p, "rt_owner");
	em_ldx(p, R0, R9, ST(owner));
	em_here(p, known);
}

/* dst = address of offset `off` of the only value of a map */
static inline void
em_value(struct prog *p, unsigned dst, int fd, size_t off)
{
	prog_imm64(p, dst, BPF_PSEUDO_MAP_VALUE, (uint32_t)fd | (uint64_t)off << 32);
}

static inline void
em_mapfd(struct prog *p, unsigned dst, int fd)
{
	prog_imm64(p, dst, BPF_PSEUDO_MAP_FD, (uint32_t)fd);
}

#endif
