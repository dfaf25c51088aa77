/* Lowers tuples, stacks and records: values on their way out of a clause. */
#include "arch/arch.h"
#include "engine/kernel/lower/emit.h"

/* r0 = bytes of return addresses, innermost first, at r2; at most n of them. */
static void
get_stack(struct lower *l, bool user, uint32_t n)
{
	struct prog *p = l->p;
	/* Leaves out our own frames, and the functions through which a tracepoint calls its program. */
	int32_t skip = l->use->type == BPF_PROG_TYPE_RAW_TRACEPOINT ? ARCH_TRACEPOINT_FRAMES + (int32_t)l->depth : 0;
	em_mov(p, R1, R8);
	em_movi(p, R3, (int32_t)(n * 8));
	em_movi(p, R4, user ? 1 << 8 /* BPF_F_USER_STACK */ : skip);
	em_help(p, HELP_STACK);
}

void
lower_frames(struct lower *l, unsigned id)
{
	struct prog *p = l->p;
	bool user = id == DIF_BI_UCALLER || id == DIF_BI_USTACKDEPTH,
	     depth = id == DIF_BI_STACKDEPTH || id == DIF_BI_USTACKDEPTH;
	/* Probes that this process fires have no meaningful stack. */
	if (kern_places[l->use->place].here) {
		em_movi(p, R0, 0);
		return;
	}
	em_mem(p, R7, RT_IN(l->e, RT_TMP0));
	em_sti(p, R7, 8, 0);
	em_mov(p, R2, R7);
	get_stack(l, user, depth ? KERN_MAX_FRAMES : 2);
	if (!depth) {
		em_ldx(p, R0, R7, 8); /* the second: the caller of the function that the probe is in */
		return;
	}
	uint32_t some = em_jump(p, BPF_JSGE, R0, 0);
	em_movi(p, R0, 0);
	em_here(p, some);
	em_alui(p, BPF_RSH, R0, 3);
}

/* A stack in the form of key.h at r7, where the first two words are 0. */
static void
stack_here(struct lower *l, uint32_t kind, uint32_t frames)
{
	struct prog *p = l->p;
	if (kind != DK_STACK) {
		em_who(p);
		em_ldx(p, R1, R9, ST(pid));
		em_stx(p, R7, 0, R1);
	}
	/* Probes that this process fires have no meaningful stack. */
	if (kern_places[l->use->place].here)
		return;
	uint32_t done = 0;
	if (kind != DK_STACK) {
		em_mov(p, R1, R9);
		em_movi(p, R2, (int32_t)frames);
		prog_call_rt(p, "rt_erlang_stack");
		uint32_t other = em_jump(p, BPF_JEQ, R0, 0);
		em_stx(p, R7, 8, R0);
		em_mov(p, R1, R7);
		em_alui(p, BPF_ADD, R1, 16);
		em_movi(p, R2, (int32_t)(frames * 8));
		em_ldx(p, R3, R9, ST(self));
		em_alui(p, BPF_ADD, R3, ST(mem) + (int32_t)RT_IN(l->e, RT_TMP1));
		em_help(p, HELP_READ_KERNEL);
		done = em_jump(p, BPF_JA, R0, 0);
		em_here(p, other);
	}
	em_mov(p, R2, R7);
	em_alui(p, BPF_ADD, R2, 16);
	get_stack(l, kind != DK_STACK, frames);
	uint32_t none = em_jump(p, BPF_JSLE, R0, 0);
	em_alui(p, BPF_RSH, R0, 3);
	em_stx(p, R7, 8, R0);
	em_here(p, none);
	if (done)
		em_here(p, done);
}

/* The same at offset `to` of the state's memory, with zeroes behind it. */
static void
lower_stack(struct lower *l, uint32_t kind, uint32_t frames, uint32_t to)
{
	struct prog *p = l->p;
	em_mov(p, R1, R9);
	em_movi(p, R2, (int32_t)to);
	em_movi(p, R3, (int32_t)(16 + frames * 8));
	prog_call_rt(p, "rt_zero");
	em_mem(p, R7, to);
	stack_here(l, kind, frames);
}

static bool
is_stack(unsigned kind)
{
	return kind == DK_STACK || kind == DK_USTACK || kind == DK_JSTACK;
}

static bool
is_usym(unsigned kind)
{
	return kind == DK_USYM || kind == DK_UMOD || kind == DK_UADDR;
}

void
lower_keys(struct lower *l, uint32_t key, uint32_t nkeys, uint32_t slot, uint32_t base)
{
	struct prog *p = l->p;
	for (uint32_t i = 0; i < nkeys; i++) {
		const struct kkey *k = &l->e->keys[key + i];
		uint32_t at = base + k->off;
		if (is_stack(k->kind)) {
			lower_stack(l, k->kind, k->frames, at);
			continue;
		}
		em_ldx(p, R3, R9, ST_SLOT(slot + i));
		if (k->kind == DK_STRING || k->kind == DK_BYTES) {
			if (k->kind == DK_BYTES && k->size % 8) {
				em_mem(p, R1, at + k->bytes - 8);
				em_sti(p, R1, 0, 0);
			}
			/* Zeroing here is quicker than in the runtime, up to a point. */
			bool clear = k->kind == DK_STRING && k->bytes <= 512;
			if (clear) {
				em_mem(p, R1, at);
				for (uint32_t off = 0; off < k->bytes; off += 8)
					em_sti(p, R1, (int)off, 0);
			}
			em_mov(p, R1, R9);
			em_movi(p, R2, (int32_t)at);
			em_movi(p, R4, (int32_t)(clear ? k->bytes - 1 : k->kind == DK_STRING ? k->bytes : k->size));
			prog_call_rt(p, clear ? "rt_strn" : k->kind == DK_STRING ? "rt_put_str" : "rt_put_mem");
			lower_check(l);
			continue;
		}
		if (is_usym(k->kind)) {
			em_who(p);
			em_ldx(p, R3, R9, ST_SLOT(slot + i));
		}
		em_mem(p, R1, at);
		if (is_usym(k->kind)) {
			em_ldx(p, R2, R9, ST(pid));
			em_stx(p, R1, 0, R2);
			em_stx(p, R1, 8, R3);
			continue;
		}
		if (k->kind == DK_INT)
			em_extend(p, R3, k->is_signed ? -(64 - k->shift) : 64 - k->shift);
		em_stx(p, R1, 0, R3);
	}
}

/* r2 = where the next element of the tuple goes: `at`, or behind an element whose size is not known in advance. */
static void
tuple_end(struct lower *l, bool fixed, uint32_t at)
{
	if (fixed) {
		em_movi(l->p, R2, (int32_t)at);
		return;
	}
	em_ldx(l->p, R2, R9, ST(klen));
	em_alui(l->p, BPF_AND, R2, (int32_t)RT_IN(l->e, RT_KEY_MAX) - 8);
}

void
lower_tuple(struct lower *l, uint32_t key, uint32_t nkeys, uint32_t slot)
{
	struct prog *p = l->p;
	bool fixed = true; /* all sizes are known so far */
	uint32_t at = 0;
	for (uint32_t i = 0; i < nkeys; i++) {
		const struct kkey *k = &l->e->keys[key + i];
		tuple_end(l, fixed, at);
		if (k->kind == DK_STRING) {
			em_mov(p, R1, R9);
			em_ldx(p, R3, R9, ST_SLOT(slot + i));
			em_movi(p, R4, (int32_t)k->bytes - 1);
			prog_call_rt(p, "rt_key_str");
			lower_check(l);
			fixed = false;
			continue;
		}
		/* r7: where it is to be. */
		em_mov(p, R7, R9);
		em_alui(p, BPF_ADD, R7, ST(mem) + (int32_t)RT_IN(l->e, RT_KEY));
		em_alu(p, BPF_ADD, R7, R2);
		if (is_stack(k->kind)) {
			em_sti(p, R7, 0, 0);
			em_sti(p, R7, 8, 0);
			stack_here(l, k->kind, k->frames);
			tuple_end(l, fixed, at);
			em_ldx(p, R1, R7, 8);
			em_alui(p, BPF_LSH, R1, 3);
			em_alui(p, BPF_ADD, R1, 16);
			em_alu(p, BPF_ADD, R1, R2);
			em_stx(p, R9, ST(klen), R1);
			fixed = false;
			continue;
		}
		if (k->kind == DK_BYTES) {
			if (k->size % 8)
				em_sti(p, R7, (int)k->bytes - 8, 0);
			em_mov(p, R1, R9);
			em_alui(p, BPF_ADD, R2, (int32_t)RT_IN(l->e, RT_KEY));
			em_ldx(p, R3, R9, ST_SLOT(slot + i));
			em_movi(p, R4, (int32_t)k->size);
			prog_call_rt(p, "rt_put_mem");
			lower_check(l);
		} else if (is_usym(k->kind)) {
			em_who(p);
			em_ldx(p, R1, R9, ST(pid));
			em_stx(p, R7, 0, R1);
			em_ldx(p, R1, R9, ST_SLOT(slot + i));
			em_stx(p, R7, 8, R1);
		} else {
			em_ldx(p, R1, R9, ST_SLOT(slot + i));
			if (k->kind == DK_INT)
				em_extend(p, R1, k->is_signed ? -(64 - k->shift) : 64 - k->shift);
			em_stx(p, R7, 0, R1);
		}
		if (fixed) {
			at += k->bytes;
			continue;
		}
		em_ldx(p, R1, R9, ST(klen));
		em_alui(p, BPF_ADD, R1, (int32_t)k->bytes);
		em_stx(p, R9, ST(klen), R1);
	}
	if (fixed)
		em_movi(p, R3, (int32_t)at);
	else
		em_ldx(p, R3, R9, ST(klen));
}

static const struct dobj_group *
open_group(const struct lower *l)
{
	/* No branch leaves RECB … RECE, so the nearest RECB before this is the open one. */
	for (uint32_t i = l->pc + 1; i-- > 0;)
		if (l->e->o->code[l->c->code + i].op == DIF_RECB)
			return &l->e->o->groups[l->c->group + (uint32_t)l->e->o->code[l->c->code + i].imm];
	return &l->e->o->groups[l->c->group];
}

void
lower_rec_begin(struct lower *l, const struct dif_insn *in)
{
	const struct dobj_group *g = &l->e->o->groups[l->c->group + (uint32_t)in->imm];
	uint32_t data = RT_REC + (uint32_t)sizeof(struct rt_rec);
	if (l->c->flags & DC_SPECULATES) {
		em_mov(l->p, R1, R9);
		em_movi(l->p, R2, (int32_t)g->recsize);
		prog_call_rt(l->p, "rt_spec_room");
		lower_check(l);
	}
	em_sti(l->p, R9, ST(recopen), 1);
	if (g->recsize <= 128) {
		for (uint32_t i = 0; i < g->recsize; i += 8)
			em_sti(l->p, R9, ST(mem) + (int)(data + i), 0);
	} else {
		em_mov(l->p, R1, R9);
		em_movi(l->p, R2, (int32_t)data);
		em_movi(l->p, R3, (int32_t)g->recsize);
		prog_call_rt(l->p, "rt_zero");
	}
}

void
lower_rec_field(struct lower *l, const struct dif_insn *in)
{
	const struct dobj_group *g = open_group(l);
	if ((uint32_t)in->imm >= g->nfields)
		return;
	const struct dobj_field *f = &l->e->o->fields[g->field + (uint32_t)in->imm];
	uint32_t to = RT_REC + (uint32_t)sizeof(struct rt_rec) + f->offset;
	struct prog *p = l->p;
	if (is_stack(f->kind)) {
		uint32_t room = f->size < 16 ? 0 : (f->size - 16) / 8,
			 frames = kern_frames(&l->e->conf.sizes, f->kind, f->arg);
		if (room)
			lower_stack(l, f->kind, frames < room ? frames : room, to);
		return;
	}
	if (is_usym(f->kind))
		em_who(p);
	em_ldx(p, R3, R9, ST_REG(in->rs));
	switch (f->kind) {
	case DK_INT:
	case DK_SYM:
	case DK_MOD: {
		static const uint8_t width[9] = {0, BPF_B, BPF_H, 0, BPF_W, 0, 0, 0, BPF_DW};
		unsigned n = f->size < 8 ? f->size : 8;
		em_mem(p, R1, to);
		prog_emit(p, (uint8_t)(BPF_STX | BPF_MEM | (n ? width[n] : BPF_DW)), R1, R3, 0, 0);
		break;
	}
	case DK_STRING:
	case DK_BYTES:
		em_mov(p, R1, R9);
		em_movi(p, R2, (int32_t)to);
		em_movi(p, R4, (int32_t)f->size);
		prog_call_rt(p, f->kind == DK_STRING ? "rt_put_str" : "rt_put_mem");
		lower_check(l);
		break;
	case DK_USYM:
	case DK_UMOD:
	case DK_UADDR:
		em_mem(p, R1, to);
		em_ldx(p, R2, R9, ST(pid));
		em_stx(p, R1, 0, R2);
		em_stx(p, R1, 8, R3);
		break;
	case DK_NONE:
		break;
	default:
		lower_refuse(l, "Erlang terms are known inside a node only");
		break;
	}
}

void
lower_rec_end(struct lower *l)
{
	const struct dobj_group *g = open_group(l);
	em_mov(l->p, R1, R9);
	em_ldx(l->p, R2, R9, ST(epid));
	em_alui(l->p, BPF_ADD, R2, (int32_t)((uint32_t)(g - l->e->o->groups) - l->c->group));
	em_movi(l->p, R3, (int32_t)g->recsize);
	prog_call_rt(l->p, "rt_rec_end");
	if (dobj_cuts(l->e->o, l->c))
		em_stx(l->p, R9, ST(cut), R0);
	em_sti(l->p, R9, ST(recopen), 0);
}
