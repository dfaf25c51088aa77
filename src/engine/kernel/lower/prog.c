/*
 * A BPF program being made: instructions, references, and linking with the runtime. Only the functions of the runtime
 * that are used are linked.
 */
#include "engine/kernel/kern.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* NOLINTNEXTLINE(misc-redundant-expression): two of them are 0 */
enum { LOAD_IMM64 = BPF_LD | BPF_DW | BPF_IMM };

void
prog_init(struct prog *p, const struct rt_image *im)
{
	*p = (struct prog){.im = im};
}

void
prog_free(struct prog *p)
{
	free(p->insns);
	free(p->fixups);
	free(p->fi);
	free(p->subs);
	*p = (struct prog){0};
}

static bool
room(struct prog *p, void **array, uint32_t n, uint32_t *cap, size_t row)
{
	if (p->oom)
		return false;
	if (n < *cap)
		return true;
	uint32_t bigger = *cap ? *cap * 2 : 64;
	void *q = realloc(*array, bigger * row);
	if (!q) {
		p->oom = true;
		return false;
	}
	*array = q;
	*cap = bigger;
	return true;
}

void
prog_emit(struct prog *p, uint8_t code, unsigned dst, unsigned src, int off, int32_t imm)
{
	if (!room(p, (void **)&p->insns, p->n, &p->cap, sizeof *p->insns))
		return;
	p->insns[p->n++] =
	    (struct bpf_insn){.code = code, .dst_reg = dst & 15, .src_reg = src & 15, .off = (int16_t)off, .imm = imm};
}

void
prog_imm64(struct prog *p, unsigned dst, unsigned src, uint64_t imm)
{
	prog_emit(p, LOAD_IMM64, dst, src, 0, (int32_t)(uint32_t)imm);
	prog_emit(p, 0, 0, 0, 0, (int32_t)(uint32_t)(imm >> 32));
}

static void
fix(struct prog *p, enum fix_kind kind, uint32_t to)
{
	if (room(p, (void **)&p->fixups, p->nfixups, &p->capfixups, sizeof *p->fixups))
		p->fixups[p->nfixups++] = (struct fixup){p->n, kind, to};
}

void
prog_call_rt(struct prog *p, const char *name)
{
	int f = image_find(p->im, name);
	if (f < 0 && !p->missing[0])
		snprintf(p->missing, sizeof p->missing, "%s", name);
	fix(p, FIX_RT, f < 0 ? 0 : (uint32_t)f);
	prog_emit(p, BPF_JMP | BPF_CALL, 0, BPF_PSEUDO_CALL, 0, 0);
}

void
prog_call_sub(struct prog *p, uint32_t sub)
{
	fix(p, FIX_SUB, sub);
	prog_emit(p, BPF_JMP | BPF_CALL, 0, BPF_PSEUDO_CALL, 0, 0);
}

static void
add_info(struct prog *p, uint32_t type)
{
	if (room(p, (void **)&p->fi, p->nfi, &p->capfi, sizeof *p->fi))
		p->fi[p->nfi++] = (struct bpf_func_info){.insn_off = p->n, .type_id = type};
}

uint32_t
prog_sub(struct prog *p, const char *type)
{
	int f = image_find(p->im, type);
	add_info(p, f < 0 ? 0 : p->im->funcs[f].type);
	if (!room(p, (void **)&p->subs, p->nsubs, &p->capsubs, sizeof *p->subs))
		return 0;
	p->subs[p->nsubs] = p->n;
	return p->nsubs++;
}

/* Copies a function of the runtime into the program; its references become references of the program. */
static void
place(struct prog *p, uint32_t f)
{
	const struct image_func *fn = &p->im->funcs[f];
	add_info(p, fn->type);
	for (uint32_t i = fn->start; i < fn->start + fn->n; i++) {
		if (p->im->target[i] >= 0)
			fix(p, FIX_RT, (uint32_t)p->im->target[i]);
		const struct bpf_insn *in = &p->im->text[i];
		prog_emit(p, in->code, in->dst_reg, in->src_reg, in->off, in->imm);
	}
}

/* Fills in the 64-bit immediates by which the runtime asks for maps, their values and constants. */
static void
answer(struct prog *p, uint32_t from, const int *maps, const uint64_t *consts)
{
	for (uint32_t i = from; i + 1 < p->n; i++) {
		struct bpf_insn *in = &p->insns[i];
		if (in->code != LOAD_IMM64)
			continue;
		uint32_t n = (uint32_t)in->imm;
		switch ((uint32_t)in[1].imm) {
		case RT_ASK_MAP:
		case RT_ASK_VALUE:
			if (n >= RT_NMAPS)
				break;
			in->src_reg = (uint32_t)in[1].imm == RT_ASK_MAP ? BPF_PSEUDO_MAP_FD : BPF_PSEUDO_MAP_VALUE;
			/* A map that this script does not have is in code that it does not reach. */
			in->imm = maps[n] >= 0 ? maps[n] : maps[RT_M_CTL];
			in[1].imm = 0;
			break;
		case RT_ASK_CONST:
			if (n >= RT_NCONSTS)
				break;
			in->imm = (int32_t)(uint32_t)consts[n];
			in[1].imm = (int32_t)(uint32_t)(consts[n] >> 32);
			break;
		default:
			break;
		}
		i++;
	}
}

bool
prog_link(struct prog *p, const int *maps, const uint64_t *consts, struct why *why)
{
	uint32_t own = p->n; /* the program's own immediates need nothing */
	uint32_t *at = malloc((p->im->nfuncs + 1) * sizeof *at);
	if (!at || p->oom || p->missing[0]) {
		why_set(why, p->missing[0] ? "the BPF runtime lacks %s" : "out of memory", p->missing);
		free(at);
		return false;
	}
	for (uint32_t i = 0; i < p->im->nfuncs; i++)
		at[i] = UINT32_MAX;
	/* The list grows as functions are placed. */
	for (uint32_t i = 0; i < p->nfixups && !p->oom; i++) {
		uint32_t to = p->fixups[i].to;
		if (p->fixups[i].kind == FIX_RT && at[to] == UINT32_MAX) {
			at[to] = p->n;
			place(p, to);
		}
	}
	answer(p, own, maps, consts);
	for (uint32_t i = 0; i < p->nfixups && !p->oom; i++) {
		const struct fixup *x = &p->fixups[i];
		struct bpf_insn *in = &p->insns[x->at];
		uint32_t to = x->kind == FIX_RT ? at[x->to] : p->subs[x->to];
		if (in->code == LOAD_IMM64)
			in->src_reg = BPF_PSEUDO_FUNC;
		in->imm = (int32_t)to - (int32_t)x->at - 1;
	}
	free(at);
	if (p->oom)
		why_set(why, "out of memory");
	return !p->oom;
}
