/*
 * DIF to eBPF: a clause becomes a function of the program.
 *
 * DIF's registers and slots are words of the firing's state in a map. So the verifier knows nothing about their values
 * and follows each path once: its work grows with the length of the clause, not with its branches. Everything that
 * touches memory calls the runtime, whose functions are verified separately. A call that faults leaves through a stub
 * that records where it was.
 */
#include "engine/kernel/lower/emit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void
lower_refuse(struct lower *l, const char *what)
{
	if (l->why->text[0])
		return;
	struct dobj_line at = dobj_line_of(l->e->o, l->c, l->c->code + l->pc);
	why_set(l->why, "line %u: %s", at.line, what);
}

static void
add_fix(struct lower *l, uint32_t pc, bool fault)
{
	if (l->nfixes == l->capfixes) {
		uint32_t cap = l->capfixes ? l->capfixes * 2 : 64;
		struct lfix *f = realloc(l->fixes, cap * sizeof *f);
		if (!f) {
			l->oom = true;
			return;
		}
		l->fixes = f;
		l->capfixes = cap;
	}
	l->fixes[l->nfixes++] = (struct lfix){l->p->n - 1, pc, fault};
}

void
lower_check(struct lower *l)
{
	prog_emit(l->p, BPF_JMP | BPF_JNE | BPF_K, R0, 0, 0, 0);
	add_fix(l, l->pc, true);
}

/* ---- pieces ---- */

static void
get(struct lower *l, unsigned dst, unsigned reg)
{
	em_ldx(l->p, dst, R9, ST_REG(reg));
}

static void
put(struct lower *l, unsigned reg, unsigned src)
{
	em_stx(l->p, R9, ST_REG(reg), src);
}

/* rd = st->res */
static void
put_result(struct lower *l, unsigned reg)
{
	em_ldx(l->p, R0, R9, ST(res));
	put(l, reg, R0);
}

static void
alu(struct lower *l, const struct dif_insn *in, int op)
{
	get(l, R1, in->rs);
	get(l, R2, in->rt);
	em_alu(l->p, (unsigned)op, R1, R2);
	put(l, in->rd, R1);
}

static void
shift(struct lower *l, const struct dif_insn *in, int op)
{
	get(l, R1, in->rs);
	get(l, R2, in->rt);
	em_alui(l->p, BPF_AND, R2, 63);
	em_alu(l->p, (unsigned)op, R1, R2);
	put(l, in->rd, R1);
}

static void
divide(struct lower *l, const struct dif_insn *in, int op)
{
	get(l, R1, in->rs);
	get(l, R2, in->rt);
	uint32_t ok = em_jump(l->p, BPF_JNE, R2, 0);
	em_sti(l->p, R9, ST(illval), 0);
	em_movi(l->p, R0, DIF_FAULT_DIVZERO);
	lower_check(l);
	em_here(l->p, ok);
	if (op) {
		em_mov(l->p, R0, R1);
		em_alu(l->p, (unsigned)op, R0, R2);
	} else {
		prog_call_rt(l->p, in->op == DIF_SDIV ? "rt_sdiv" : "rt_srem");
	}
	put(l, in->rd, R0);
}

static void
bits(struct lower *l, const struct dif_insn *in)
{
	unsigned by = in->imm & 0xff, width = in->imm >> 8 & 0xff;
	uint64_t mask = (width == 64 ? UINT64_MAX : (1ULL << width) - 1) << by;
	get(l, R1, in->rs);
	if (in->op == DIF_BFX) {
		if (64 - by - width)
			em_alui(l->p, BPF_LSH, R1, (int32_t)(64 - by - width));
		if (64 - width)
			em_alui(l->p, in->imm >> 16 ? BPF_ARSH : BPF_RSH, R1, (int32_t)(64 - width));
	} else {
		if (by)
			em_alui(l->p, BPF_LSH, R1, (int32_t)by);
		prog_imm64(l->p, R2, 0, mask);
		em_alu(l->p, BPF_AND, R1, R2);
		get(l, R3, in->rd);
		prog_imm64(l->p, R2, 0, ~mask);
		em_alu(l->p, BPF_AND, R3, R2);
		em_alu(l->p, BPF_OR, R1, R3);
	}
	put(l, in->rd, R1);
}

static void
set_if(struct lower *l, const struct dif_insn *in, int op)
{
	get(l, R1, in->rs);
	get(l, R2, in->rt);
	em_movi(l->p, R0, 1);
	prog_emit(l->p, (uint8_t)(BPF_JMP | op | BPF_X), R1, R2, 1, 0);
	em_movi(l->p, R0, 0);
	put(l, in->rd, R0);
}

static void
branch(struct lower *l, const struct dif_insn *in, int op)
{
	get(l, R1, in->rs);
	get(l, R2, in->rt);
	prog_emit(l->p, (uint8_t)(BPF_JMP | op | BPF_X), R1, R2, 0, 0);
	add_fix(l, (uint32_t)in->imm, false);
}

static void
branch0(struct lower *l, const struct dif_insn *in, int op)
{
	if (op != BPF_JA)
		get(l, R1, in->rs);
	prog_emit(l->p, (uint8_t)(BPF_JMP | op | BPF_K), op == BPF_JA ? R0 : R1, 0, 0, 0);
	add_fix(l, (uint32_t)in->imm, false);
}

static void
load(struct lower *l, const struct dif_insn *in, int size)
{
	em_mov(l->p, R1, R9);
	get(l, R2, in->rs);
	em_alui(l->p, BPF_ADD, R2, in->imm);
	em_movi(l->p, R3, size < 0 ? -size / 8 : size / 8);
	prog_call_rt(l->p, "rt_load");
	lower_check(l);
	em_ldx(l->p, R1, R9, ST(res));
	em_extend(l->p, R1, size);
	put(l, in->rd, R1);
}

static void
store(struct lower *l, const struct dif_insn *in, int bytes)
{
	em_mov(l->p, R1, R9);
	get(l, R2, in->rd);
	em_alui(l->p, BPF_ADD, R2, in->imm);
	em_movi(l->p, R3, bytes);
	get(l, R4, in->rs);
	prog_call_rt(l->p, "rt_store");
	lower_check(l);
}

static void
copy(struct lower *l, const struct dif_insn *in, const char *fn)
{
	em_mov(l->p, R1, R9);
	get(l, R2, in->rd);
	get(l, R3, in->rs);
	em_movi(l->p, R4, in->imm);
	prog_call_rt(l->p, fn);
	lower_check(l);
}

/* ---- variables ---- */

/* One whose place is in R1. */
static void
scalar(struct lower *l, const struct dif_insn *in, bool is_load)
{
	if (is_load) {
		em_ldx(l->p, R0, R1, 0);
		put(l, in->rd, R0);
	} else {
		get(l, R0, in->rs);
		em_stx(l->p, R1, 0, R0);
	}
}

static void
global(struct lower *l, const struct dif_insn *in)
{
	const struct kvar *v = &l->e->vars[in->imm];
	em_value(l->p, R1, l->e->maps[RT_M_GLOBALS], l->e->gscalars + v->off);
	scalar(l, in, in->op == DIF_LDG);
}

static void
local(struct lower *l, const struct dif_insn *in)
{
	const struct kvar *v = &l->e->vars[in->imm];
	em_mem(l->p, R1, l->lbase + l->e->lscalars + v->off);
	scalar(l, in, in->op == DIF_LDL);
}

static void
builtin(struct lower *l, const struct dif_insn *in)
{
	static const uint8_t flags[DIF_NBUILTINS] = {
#define X(id, name, type, f) [DIF_BI_##id] = (f),
	    DIF_BUILTINS(X)
#undef X
	};
	unsigned id = (unsigned)in->imm;
	if (id == DIF_BI_UREGS || id == DIF_BI_FDS || id == DIF_BI_CWD || id == DIF_BI_ROOT) {
		em_mov(l->p, R1, R9);
		if (flags[id] & BIF_ARRAY)
			get(l, R2, in->rs);
		else
			em_movi(l->p, R2, (int32_t)id);
		prog_call_rt(l->p, id == DIF_BI_UREGS ? "rt_ureg" : id == DIF_BI_FDS ? "rt_fds" : "rt_folder");
		lower_check(l);
		put_result(l, in->rd);
		return;
	}
	if (flags[id] & BIF_STRING || id == DIF_BI_CURPSINFO || id == DIF_BI_CURLWPSINFO || id == DIF_BI_CURCPU) {
		prog_imm64(l->p, R0, 0, DIF_ADDR(DIF_R_BUILTIN, (uint64_t)id << 40));
		put(l, in->rd, R0);
		return;
	}
	if (id == DIF_BI_CALLER || id == DIF_BI_UCALLER || id == DIF_BI_STACKDEPTH || id == DIF_BI_USTACKDEPTH) {
		lower_frames(l, id);
		put(l, in->rd, R0);
		return;
	}
	em_mov(l->p, R1, R9);
	if (id == DIF_BI_VTIMESTAMP) {
		prog_call_rt(l->p, "rt_vtime");
		put_result(l, in->rd);
		return;
	}
	em_movi(l->p, R2, (int32_t)id);
	em_movi(l->p, R3, (int32_t)(dobj_line_of(l->e->o, l->c, l->c->code + l->pc).group - l->c->group));
	prog_call_rt(l->p, "rt_builtin");
	put_result(l, in->rd);
}

/* ---- subroutines ---- */

/* Returns whether programs may write to processes: not on a locked-down kernel or with too few capabilities. */
static bool
may_write_user(struct kernel_engine *e)
{
	if (e->writes == KERN_UNKNOWN) {
		struct prog p;
		prog_init(&p, &e->im);
		em_movi(&p, R1, 0);
		em_sti(&p, R10, -8, 0);
		em_mov(&p, R2, R10);
		em_alui(&p, BPF_ADD, R2, -8);
		em_movi(&p, R3, 8);
		em_help(&p, HELP_WRITE_USER);
		em_movi(&p, R0, 0);
		em_exit(&p);
		int fd =
		    p.oom ? -1 : sys_prog_load(BPF_PROG_TYPE_RAW_TRACEPOINT, 0, p.insns, p.n, e->btf, NULL, 0, NULL, 0);
		e->writes = fd >= 0 ? KERN_YES : KERN_NO;
		if (fd >= 0)
			close(fd);
		prog_free(&p);
	}
	return e->writes == KERN_YES;
}

static bool
knows_lock(const struct kernel_engine *e, int64_t subr)
{
	if (subr == DIF_SUBR_RW_ISWRITER || subr == DIF_SUBR_RW_READ_HELD || subr == DIF_SUBR_RW_WRITE_HELD)
		return e->consts[RT_C_RWSEM_COUNT] != UINT64_MAX || e->consts[RT_C_RWLOCK_CNTS] != UINT64_MAX;
	return e->consts[RT_C_MUTEX_OWNER] != UINT64_MAX;
}

static void
call(struct lower *l, const struct dif_insn *in)
{
	static const char *const names[DIF_NSUBRS] = {
#define X(id, name, proto, operands, flags) [DIF_SUBR_##id] = "rt_subr_" #id,
	    DIF_SUBRS(X)
#undef X
	};
	static const char *const said[DIF_NSUBRS] = {
#define X(id, name, proto, operands, flags) [DIF_SUBR_##id] = name,
	    DIF_SUBRS(X)
#undef X
	};
	static const uint8_t flags[DIF_NSUBRS] = {
#define X(id, name, proto, operands, f) [DIF_SUBR_##id] = (f),
	    DIF_SUBRS(X)
#undef X
	};
	const char *fn = names[in->imm];
	if (flags[in->imm] & (SF_TERM | SF_REFUSED)) {
		/* No probe here has such values, so, as on any engine, asking is a fault. */
		em_sti(l->p, R9, ST(illval), 0);
		em_movi(l->p, R0, DIF_FAULT_ILLOP);
		lower_check(l);
		return;
	}
	if (flags[in->imm] & SF_LOCK && !knows_lock(l->e, in->imm)) {
		char text[128];
		snprintf(text, sizeof text, "%s() needs the layout of the lock, which this kernel's BTF does not have",
		    said[in->imm]);
		lower_refuse(l, text);
		return;
	}
	if ((in->imm == DIF_SUBR_COPYOUT || in->imm == DIF_SUBR_COPYOUTSTR) && !may_write_user(l->e)) {
		char text[160];
		snprintf(text, sizeof text,
		    "%s() is refused by this kernel: writing to processes needs CAP_SYS_ADMIN and a kernel that is not locked down",
		    said[in->imm]);
		lower_refuse(l, text);
		return;
	}
	if (image_find(l->p->im, fn) < 0) {
		char text[96];
		snprintf(text, sizeof text, "%s() is not available in the kernel", said[in->imm]);
		lower_refuse(l, text);
		return;
	}
	em_mov(l->p, R1, R9);
	for (unsigned i = 0; i < 3; i++)
		if (i < in->rt)
			em_ldx(l->p, R2 + i, R9, ST_SLOT(in->rs + i));
		else
			em_movi(l->p, R2 + i, 0);
	em_movi(l->p, R5, in->rt);
	em_sti(l->p, R9, ST(res), 0);
	prog_call_rt(l->p, fn);
	lower_check(l);
	put_result(l, in->rd);
}

/* ---- the table ---- */

/*
 * Operations that are one instruction of BPF between registers, a comparison, a branch, or an access of some width.
 * X(name, function, how): how is BPF's operation, the bits of a load (negative when signed) or the bytes of a store.
 */
#define SIMPLE_OPS(X) \
	X(ADD, alu, BPF_ADD) \
	X(SUB, alu, BPF_SUB) \
	X(MUL, alu, BPF_MUL) \
	X(AND, alu, BPF_AND) \
	X(OR, alu, BPF_OR) \
	X(XOR, alu, BPF_XOR) \
	X(SLL, shift, BPF_LSH) \
	X(SRL, shift, BPF_RSH) \
	X(SRA, shift, BPF_ARSH) \
	X(SDIV, divide, 0) \
	X(UDIV, divide, BPF_DIV) \
	X(SREM, divide, 0) \
	X(UREM, divide, BPF_MOD) \
	X(SEQ, set_if, BPF_JEQ) \
	X(SNE, set_if, BPF_JNE) \
	X(SLT, set_if, BPF_JSLT) \
	X(SLE, set_if, BPF_JSLE) \
	X(SLTU, set_if, BPF_JLT) \
	X(SLEU, set_if, BPF_JLE) \
	X(BA, branch0, BPF_JA) \
	X(BZ, branch0, BPF_JEQ) \
	X(BNZ, branch0, BPF_JNE) \
	X(BEQ, branch, BPF_JEQ) \
	X(BNE, branch, BPF_JNE) \
	X(BLT, branch, BPF_JSLT) \
	X(BLE, branch, BPF_JSLE) \
	X(BLTU, branch, BPF_JLT) \
	X(BLEU, branch, BPF_JLE) \
	X(LDSB, load, -8) \
	X(LDSH, load, -16) \
	X(LDSW, load, -32) \
	X(LDUB, load, 8) \
	X(LDUH, load, 16) \
	X(LDUW, load, 32) \
	X(LDX, load, 64) \
	X(STB, store, 1) \
	X(STH, store, 2) \
	X(STW, store, 4) \
	X(STX, store, 8)

/* Without a default: an operation that is not here does not compile. */
#pragma GCC diagnostic push
#pragma GCC diagnostic error "-Wswitch"
static void
lower_op(struct lower *l, const struct dif_insn *in)
{
	struct prog *p = l->p;
	switch ((enum dif_op)in->op) {
#define X(name, fn, how) \
	case DIF_##name: \
		fn(l, in, how); \
		break;
		SIMPLE_OPS(X)
#undef X
	case DIF_NOP:
	case DIF_NOPS: /* not an operation: the object's verifier refuses it */
		break;
	case DIF_END:
		if (l->is_error) {
			em_movi(p, R0, 0);
			em_exit(p);
		} else {
			em_jump(p, BPF_JA, 0, 0);
			add_fix(l, l->c->ncode, false);
		}
		break;
	case DIF_MOV:
		get(l, R0, in->rs);
		put(l, in->rd, R0);
		break;
	case DIF_MOVI:
		em_sti(p, R9, ST_REG(in->rd), in->imm);
		break;
	case DIF_LDK:
		em_imm(p, R0, (uint64_t)l->e->o->ints[in->imm]);
		put(l, in->rd, R0);
		break;
	case DIF_LDS:
		em_imm(p, R0, DIF_ADDR(DIF_R_CONST, (uint32_t)in->imm));
		put(l, in->rd, R0);
		break;
	case DIF_ADDI:
		get(l, R1, in->rs);
		em_alui(p, BPF_ADD, R1, in->imm);
		put(l, in->rd, R1);
		break;
	case DIF_NOT:
		get(l, R1, in->rs);
		em_alui(p, BPF_XOR, R1, -1);
		put(l, in->rd, R1);
		break;
	case DIF_NEG:
		get(l, R1, in->rs);
		em_alui(p, BPF_NEG, R1, 0);
		put(l, in->rd, R1);
		break;
	case DIF_EXT:
		get(l, R1, in->rs);
		em_extend(l->p, R1, in->imm);
		put(l, in->rd, R1);
		break;
	case DIF_BFX:
	case DIF_BFI:
		bits(l, in);
		break;
	case DIF_SCMP:
		em_mov(p, R1, R9);
		get(l, R2, in->rs);
		get(l, R3, in->rt);
		prog_call_rt(p, "rt_scmp");
		lower_check(l);
		put_result(l, in->rd);
		break;
	case DIF_STRCPY:
		copy(l, in, "rt_strcpy");
		break;
	case DIF_MEMCPY:
		copy(l, in, "rt_memcpy");
		break;
	case DIF_LDARG:
		if (in->imm < RT_NARGS)
			em_ldx(p, R0, R9, ST(args) + 8 * in->imm);
		else
			em_movi(p, R0, 0); /* terms are not for the kernel */
		put(l, in->rd, R0);
		break;
	case DIF_LDARGX:
		em_mov(p, R1, R9);
		get(l, R2, in->rs);
		prog_call_rt(p, "rt_argx");
		lower_check(l);
		put_result(l, in->rd);
		break;
	case DIF_LDBI:
	case DIF_LDBIA:
		builtin(l, in);
		break;
	case DIF_LDG:
	case DIF_STG:
		global(l, in);
		break;
	case DIF_LDGA:
		em_imm(p, R0, DIF_ADDR(DIF_R_GLOBAL, l->e->vars[in->imm].off));
		put(l, in->rd, R0);
		break;
	case DIF_LDL:
	case DIF_STL:
		local(l, in);
		break;
	case DIF_LDLA:
		em_imm(p, R0, DIF_ADDR(DIF_R_LOCAL, l->e->vars[in->imm].off));
		put(l, in->rd, R0);
		break;
	case DIF_LDT:
	case DIF_STT:
	case DIF_LDA:
	case DIF_STA:
		lower_dyn(l, in);
		break;
	case DIF_LDSL:
		em_ldx(p, R0, R9, ST_SLOT(in->imm));
		put(l, in->rd, R0);
		break;
	case DIF_STSL:
		get(l, R0, in->rs);
		em_stx(p, R9, ST_SLOT(in->imm), R0);
		break;
	case DIF_CALL:
		call(l, in);
		break;
	case DIF_AGG:
		lower_agg(l, in);
		break;
	case DIF_RECB:
		lower_rec_begin(l, in);
		break;
	case DIF_REC:
		lower_rec_field(l, in);
		break;
	case DIF_RECE:
		lower_rec_end(l);
		break;
	case DIF_STRVAL:
		em_mov(p, R1, R9);
		get(l, R2, in->rs);
		prog_call_rt(p, "rt_strval");
		lower_check(l);
		put_result(l, in->rd);
		break;
	case DIF_FAULT:
		get(l, R0, in->rs);
		em_stx(p, R9, ST(illval), R0);
		em_movi(p, R0, in->imm);
		lower_check(l);
		break;
	}
}
#pragma GCC diagnostic pop

/* ---- the function ---- */

static bool
is_branch(unsigned op)
{
	return op >= DIF_BA && op <= DIF_BLEU;
}

/* The verifier refuses unreachable code. Branches go forward, so one look at each instruction is enough. */
static void
mark_reachable(const struct lower *l, bool *reached)
{
	const struct dif_insn *code = &l->e->o->code[l->c->code];
	reached[0] = true;
	for (uint32_t i = 0; i < l->c->ncode; i++) {
		if (!reached[i])
			continue;
		if (is_branch(code[i].op))
			reached[code[i].imm] = true;
		if (code[i].op != DIF_BA && code[i].op != DIF_END)
			reached[i + 1] = true;
	}
}

/* Where faults leave: one stub for each instruction that can fault, then what they share. */
static void
fault_stubs(struct lower *l, uint32_t *stub)
{
	struct prog *p = l->p;
	uint32_t *leave = malloc((l->nfixes + 1) * sizeof *leave), nleave = 0;
	if (!leave) {
		l->oom = true;
		return;
	}
	for (uint32_t i = 0; i < l->nfixes; i++) {
		uint32_t pc = l->fixes[i].pc;
		if (!l->fixes[i].fault || stub[pc])
			continue;
		struct dobj_line at = dobj_line_of(l->e->o, l->c, l->c->code + pc);
		stub[pc] = p->n;
		em_sti(p, R9, ST(fault_pc), (int32_t)(pc * sizeof(struct dif_insn)));
		em_sti(p, R9, ST(fault_action), (int32_t)at.action);
		em_movi(p, R1, (int32_t)(at.group - l->c->group));
		leave[nleave++] = em_jump(p, BPF_JA, 0, 0);
	}
	for (uint32_t i = 0; i < nleave; i++) {
		if (p->n - leave[i] > INT16_MAX)
			lower_refuse(l, "the clause is too long for the kernel: make several clauses of it");
		em_here(p, leave[i]);
	}
	free(leave);
	if (!nleave)
		return;
	/* 255 ends a clause without a fault. */
	em_ldx(p, R2, R9, ST(epid));
	em_alu(p, BPF_ADD, R1, R2);
	em_stx(p, R9, ST(fault_epid), R1);
	uint32_t quiet = em_jump(p, BPF_JEQ, R0, 255);
	em_stx(p, R9, ST(fault), R0);
	if (l->is_error) {
		em_movi(p, R0, 1);
		em_exit(p);
		em_here(p, quiet);
		em_movi(p, R0, 0);
		em_exit(p);
	} else {
		em_mov(p, R1, R8);
		em_mov(p, R2, R9);
		prog_call_sub(p, l->fault_sub);
		em_here(p, quiet);
	}
}

static void
resolve(struct lower *l, const uint32_t *stub)
{
	for (uint32_t i = 0; i < l->nfixes && !l->oom && !l->p->oom; i++) {
		const struct lfix *f = &l->fixes[i];
		int64_t off = (int64_t)(f->fault ? stub[f->pc] : l->place[f->pc]) - f->at - 1;
		if (off > INT16_MAX)
			lower_refuse(l, "the clause is too long for the kernel: make several clauses of it");
		struct bpf_insn *in = &l->p->insns[f->at];
		in->off = (int16_t)off;
		/* The verifier removes jumps to the next instruction one by one, and moves all that follows each
		 * time. */
		if (in->code == (BPF_JMP | BPF_JA) && off == 0)
			*in = (struct bpf_insn){.code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = R1};
	}
}

bool
lower_clause(struct kernel_engine *e, struct prog *p, const struct kern_use *use, uint32_t clause, bool is_error,
    unsigned depth, uint32_t fault_sub, struct why *why)
{
	struct lower l = {.e = e,
	    .p = p,
	    .c = &e->o->clauses[clause],
	    .use = use,
	    .is_error = is_error,
	    .depth = depth,
	    .fault_sub = fault_sub,
	    .lbase = RT_IN(e, is_error ? RT_ELOCAL : RT_LOCAL),
	    .why = why};
	uint32_t *stub = calloc(l.c->ncode + 1, sizeof *stub);
	bool *reached = calloc(l.c->ncode + 1, sizeof *reached);
	l.place = calloc(l.c->ncode + 1, sizeof *l.place);
	why->text[0] = '\0';
	if (!stub || !l.place || !reached)
		l.oom = true;
	else
		mark_reachable(&l, reached);
	for (unsigned i = 0; i < DIF_NREGS; i++)
		em_sti(p, R9, ST_REG(i), 0);
	for (unsigned i = 0; i < l.c->nslots; i++)
		em_sti(p, R9, ST_SLOT(i), 0);
	for (l.pc = 0; l.pc < l.c->ncode && !l.oom && !p->oom && !why->text[0]; l.pc++) {
		l.place[l.pc] = p->n;
		if (reached[l.pc])
			lower_op(&l, &e->o->code[l.c->code + l.pc]);
	}
	if (!l.oom && !p->oom && !why->text[0]) {
		l.pc = 0;
		fault_stubs(&l, stub);
		l.place[l.c->ncode] = p->n;
		resolve(&l, stub);
	}
	free(stub);
	free(reached);
	free(l.place);
	free(l.fixes);
	if (l.oom || p->oom)
		why_set(why, "out of memory");
	return !why->text[0];
}
