/*
 * The places that programs are attached to, one row each: how a program there knows which probe it is, what must hold
 * for it to fire, and where its arguments come from.
 *
 * A program is given a context, in r8: the tracepoint's own arguments, 8 bytes each, or the registers, struct pt_regs.
 * sys_enter has a pointer to the registers and the number of the call; sys_exit has a pointer to the registers and the
 * result of the call.
 */
#include "arch/arch.h"
#include "engine/kernel/load/load.h"

#include <string.h>

enum { WAIT_AT = -16 - 8 * RT_WAIT_ARGS };                /* of struct rt_wait on the main function's stack */
enum { EVENT_AT = -16 - (int)sizeof(struct node_event) }; /* of struct node_event, there too */

/* ---- which probe it is: r6 is the number of the probe plus one, or a key of it ---- */

static unsigned
by_number(struct load *l, uint32_t *out)
{
	(void)out;
	em_ldx(&l->p, R6, R8, 8);
	return 0;
}

/* At the end of a call its number is in the registers. */
static unsigned
by_registers(struct load *l, uint32_t *out)
{
	struct prog *p = &l->p;
	uint8_t unless = kern_places[l->use->place].unless;
	unsigned nout = 0;
	if (unless) {
		em_ldx(p, R6, R8, 8);
		out[nout++] = em_jump(p, unless, R6, 0);
	}
	em_ldx(p, R3, R8, 0);
	em_alui(p, BPF_ADD, R3, 8 * ARCH_CALL);
	em_mov(p, R1, R10);
	em_alui(p, BPF_ADD, R1, -16);
	em_sti(p, R10, -16, 0);
	em_movi(p, R2, 4);
	em_help(p, HELP_READ_KERNEL);
	em_ldx(p, R6, R10, -16);
	return nout;
}

/* r7 keeps the thread whose priority was set. */
static unsigned
by_priority(struct load *l, uint32_t *out)
{
	struct prog *p = &l->p;
	em_ldx(p, R1, R8, 0);
	em_ldx(p, R2, R8, 8);
	prog_call_rt(p, "rt_priority_task");
	em_mov(p, R7, R0);
	out[0] = em_jump(p, BPF_JEQ, R7, 0);
	return 1 + by_registers(l, out + 1);
}

static unsigned
by_wait(struct load *l, uint32_t *out)
{
	struct prog *p = &l->p;
	for (int i = 0; i < RT_WAIT_ARGS; i++)
		em_sti(p, R10, WAIT_AT + 8 * i, 0);
	em_ldx(p, R1, R8, 0);
	em_ldx(p, R2, R8, 8);
	em_mov(p, R3, R10);
	em_alui(p, BPF_ADD, R3, WAIT_AT);
	prog_call_rt(p, "rt_lock_end");
	em_mov(p, R6, R0);
	out[0] = em_jump(p, BPF_JEQ, R6, 0);
	return 1;
}

static void
get_cookie(struct prog *p)
{
	em_mov(p, R1, R8);
	em_help(p, HELP_COOKIE);
	em_mov(p, R6, R0);
}

static unsigned
by_cookie(struct load *l, uint32_t *out)
{
	if (!l->use->several)
		return 0;
	get_cookie(&l->p);
	out[0] = em_jump(&l->p, BPF_JEQ, R6, 0);
	return 1;
}

/* The upper half of the cookie is the number of the place, which r7 keeps. The lower half is the probe, or 0 if that
 * depends on the process. */
static unsigned
by_site(struct load *l, uint32_t *out)
{
	struct prog *p = &l->p;
	if (!l->use->several && !load_usdt_needs_place(l))
		return 0;
	get_cookie(p);
	em_mov(p, R7, R0);
	em_alui(p, BPF_RSH, R7, 32);
	em_extend(p, R6, 32);
	uint32_t known = em_jump(p, BPF_JNE, R6, 0);
	em_mov(p, R1, R7);
	prog_call_rt(p, "rt_usdt_probe");
	em_mov(p, R6, R0);
	em_here(p, known);
	out[0] = em_jump(p, BPF_JEQ, R6, 0);
	return 1;
}

/* self-> of an Erlang process that has ended. Its word is in the event. */
static void
forget_process(struct load *l)
{
	struct prog *p = &l->p;
	em_ldx(p, R1, R10, EVENT_AT + (int)offsetof(struct node_event, process));
	prog_imm64(p, R2, 0, NODE_OWNER(0));
	prog_emit(p, BPF_ALU64 | BPF_OR | BPF_X, R1, R2, 0, 0);
	em_stx(p, R10, -8, R1);
	for (uint32_t i = 0; i < l->e->o->nvars; i++) {
		if (l->e->vars[i].scope != DS_THREAD || l->e->vars[i].assoc)
			continue;
		em_mapfd(p, R1, l->e->vars[i].map);
		em_mov(p, R2, R10);
		em_alui(p, BPF_ADD, R2, -8);
		em_help(p, HELP_DELETE);
	}
}

/* The event is in the node's memory, and stays on the stack until its arguments are asked for. */
static unsigned
by_event(struct load *l, uint32_t *out)
{
	static const uint8_t regs[ARCH_NARGS] = ARCH_ARGS;
	struct prog *p = &l->p;
	em_ldx(p, R3, R8, 8 * regs[0]);
	em_mov(p, R1, R10);
	em_alui(p, BPF_ADD, R1, EVENT_AT);
	em_movi(p, R2, sizeof(struct node_event));
	em_help(p, HELP_READ_USER);
	out[0] = em_jump(p, BPF_JNE, R0, 0);
	em_ldx(p, R1, R10, EVENT_AT + (int)offsetof(struct node_event, key));
	prog_imm64(p, R2, 0, l->use->key);
	em_alu(p, BPF_SUB, R1, R2);
	out[1] = em_jump(p, BPF_JNE, R1, 0);
	em_ldx(p, R6, R10, EVENT_AT + (int)offsetof(struct node_event, probe));
	uint32_t fires = em_jump(p, BPF_JNE, R6, NODE_FORGET);
	forget_process(l);
	out[2] = em_jump(p, BPF_JA, 0, 0);
	em_here(p, fires);
	return 3;
}

/* r6 = probe, from a map by the key in r6. If it is not one of ours, the program ends. */
static uint32_t
dispatch(struct load *l)
{
	struct prog *p = &l->p;
	prog_emit(p, BPF_STX | BPF_MEM | BPF_W, R10, R6, -4, 0);
	em_mapfd(p, R1, l->dispatch);
	em_mov(p, R2, R10);
	em_alui(p, BPF_ADD, R2, -4);
	em_help(p, HELP_LOOKUP);
	uint32_t none = em_jump(p, BPF_JEQ, R0, 0);
	prog_emit(p, BPF_LDX | BPF_MEM | BPF_W, R6, R0, 0, 0);
	return none;
}

unsigned
load_which_probe(struct load *l, uint32_t *out)
{
	const struct kern_placing *row = &kern_places[l->use->place];
	unsigned nout = row->which ? row->which(l, out) : 0;
	if (l->use->keys) {
		out[nout++] = dispatch(l);
		out[nout++] = em_jump(&l->p, BPF_JEQ, R6, 0);
	} else if (!nout) {
		em_movi(&l->p, R6, (int32_t)l->use->probes[0] + 1);
	}
	return nout;
}

/* ---- what must hold ---- */

unsigned
load_conditions(struct load *l, uint32_t *out)
{
	static const struct {
		const char *fn;
		uint8_t unless; /* jump out if this holds between r0 and 0 */
	} tests[] = {[KW_SET] = {NULL, BPF_JEQ},
	    [KW_CLEAR] = {NULL, BPF_JNE},
	    [KW_LEADER] = {"rt_is_leader", BPF_JEQ},
	    [KW_THREAD] = {"rt_is_leader", BPF_JNE},
	    [KW_BUSY] = {"rt_is_busy", BPF_JEQ},
	    [KW_NEW] = {"rt_is_new", BPF_JEQ},
	    [KW_PACKET] = {NULL, BPF_JEQ},
	    [KW_IS] = {NULL, BPF_JNE},
	    [KW_BITS] = {NULL, BPF_JNE},
	    [KW_ANY] = {NULL, BPF_JEQ},
	    [KW_IDLE] = {"rt_is_busy", BPF_JNE},
	    [KW_USER] = {NULL, BPF_JSLT},
	    [KW_KERNEL] = {NULL, BPF_JSGE},
	    [KW_AWAY] = {"rt_is_away", BPF_JEQ},
	    [KW_FIRST] = {"rt_is_requeued", BPF_JNE},
	    [KW_MEMORY] = {"rt_request", BPF_JEQ},
	    [KW_FAULT] = {NULL, BPF_JEQ},
	    [KW_REFUSAL] = {"rt_is_refusal", BPF_JEQ},
	    [KW_FIELD] = {NULL, BPF_JNE}};
	unsigned nout = 0;
	if (!l->use->tp)
		return 0;
	for (const struct kern_when *w = l->use->tp->when; nout < 4 && w->what != KW_END; w++) {
		em_ldx(&l->p, tests[w->what].fn ? R1 : R0, R8, 8 * (int)w->n);
		if (tests[w->what].fn)
			prog_call_rt(&l->p, tests[w->what].fn);
		if (w->what == KW_PACKET) {
			em_mov(&l->p, R1, R0);
			em_movi(&l->p, R2, w->value);
			prog_call_rt(&l->p, "rt_is_packet");
		}
		if (w->what == KW_FIELD) {
			/* A member that this kernel does not have reads as 0. */
			uint64_t off = kbtf_offset(l->e->kernel_types, w->type, w->member);
			em_mov(&l->p, R1, R0);
			em_alui(&l->p, BPF_ADD, R1, off > INT32_MAX ? 0 : (int32_t)off);
			em_movi(&l->p, R2, off > INT32_MAX ? 0 : (int32_t)w->size);
			prog_call_rt(&l->p, "rt_field");
			if (w->mask)
				em_alui(&l->p, BPF_AND, R0, w->mask);
		}
		if (w->what == KW_FAULT) {
			em_mov(&l->p, R1, R0);
			em_ldx(&l->p, R2, R8, 8 * (int)w->n + 8);
			prog_call_rt(&l->p, "rt_fault_number");
		}
		if (w->what == KW_BITS || w->what == KW_MEMORY || w->what == KW_ANY)
			em_alui(&l->p, BPF_AND, R0, w->what == KW_BITS ? w->mask : w->value);
		bool is_value = w->what == KW_IS || w->what == KW_BITS || w->what == KW_FIELD;
		out[nout++] = em_jump(&l->p, tests[w->what].unless, R0, is_value ? w->value : 0);
	}
	return nout;
}

/* ---- arguments, once the state is there ---- */

/* Loads a probe's argument i of a raw tracepoint into r1. Returns false if this kernel does not have it. */
static bool
argument(struct load *l, const struct kern_arg *a, struct why *why)
{
	struct prog *p = &l->p;
	uint64_t off = 0;
	if (a->what == KA_NUMBER) {
		em_movi(p, R1, (int32_t)a->n);
		return true;
	}
	em_ldx(p, R1, R8, 8 * (int)a->n);
	switch (a->what) {
	case KA_FIELD:
		off = kbtf_offset(l->e->kernel_types, a->type, a->member);
		if (off > INT32_MAX) {
			why_set(why, "this kernel's struct %s has no %s", a->type, a->member);
			return false;
		}
		em_alui(p, BPF_ADD, R1, (int32_t)off);
		em_movi(p, R2, (int32_t)a->size);
		prog_call_rt(p, "rt_field");
		em_mov(p, R1, R0);
		break;
	case KA_PACKET:
		em_movi(p, R2, (int32_t)a->size);
		prog_call_rt(p, "rt_packet");
		em_mov(p, R1, R0);
		break;
	case KA_PAGES:
		prog_call_rt(p, "rt_request_pages");
		em_mov(p, R1, R0);
		break;
	case KA_LENT:
	case KA_FAULT:
		em_ldx(p, R2, R8, 8 * (int)a->n + 8);
		prog_call_rt(p, a->what == KA_LENT ? "rt_lent_priority" : "rt_fault_number");
		em_mov(p, R1, R0);
		break;
	case KA_REASON:
		prog_call_rt(p, "rt_exit_reason");
		em_mov(p, R1, R0);
		break;
	default:
		break;
	}
	return true;
}

static bool
args_of_tracepoint(struct load *l, struct why *why)
{
	struct prog *p = &l->p;
	const struct kern_tp *tp = l->use->tp;
	unsigned n = 0;
	while (n < RT_NARGS && (tp->all ? n < tp->nargs : tp->args[n].what != KA_END))
		n++;
	em_sti(p, R9, ST(nargs), (int32_t)n);
	if (tp->subject) {
		em_mov(p, R1, R9);
		em_ldx(p, R2, R8, 8 * (tp->subject - 1));
		prog_call_rt(p, "rt_subject");
	}
	for (unsigned i = 0; i < RT_NARGS; i++) {
		struct kern_arg raw = {.what = KA_RAW, .n = i};
		if (i >= n) {
			em_sti(p, R9, ST(args) + 8 * (int)i, 0);
			continue;
		}
		if (!argument(l, tp->all ? &raw : &tp->args[i], why))
			return false;
		em_stx(p, R9, ST(args) + 8 * (int)i, R1);
	}
	return true;
}

/* The function of the runtime gets the state and two words of the context. */
static bool
args_of_context(struct load *l, struct why *why)
{
	(void)why;
	em_mov(&l->p, R1, R9);
	em_ldx(&l->p, R2, R8, 0);
	em_ldx(&l->p, R3, R8, 8);
	prog_call_rt(&l->p, kern_places[l->use->place].fn);
	return true;
}

/* Often only the first is asked for, and alone it costs less. */
static bool
args_of_call(struct load *l, struct why *why)
{
	static const uint8_t regs[] = ARCH_CALL_ARGS;
	struct prog *p = &l->p;
	if (l->nargs > 1)
		return args_of_context(l, why);
	if (!l->nargs)
		return true;
	em_mov(p, R1, R9);
	em_alui(p, BPF_ADD, R1, ST(args));
	em_movi(p, R2, 8);
	em_ldx(p, R3, R8, 0);
	em_alui(p, BPF_ADD, R3, 8 * regs[0]);
	em_help(p, HELP_READ_KERNEL);
	return true;
}

static bool
args_of_priority(struct load *l, struct why *why)
{
	(void)why;
	em_mov(&l->p, R1, R9);
	em_mov(&l->p, R2, R7);
	prog_call_rt(&l->p, kern_places[l->use->place].fn);
	return true;
}

static bool
args_of_firing(struct load *l, struct why *why)
{
	struct prog *p = &l->p;
	(void)why;
	em_ldx(p, R1, R8, 8 * RT_NARGS);
	em_stx(p, R9, ST(nargs), R1);
	for (int i = 0; i < RT_NARGS; i++) {
		em_ldx(p, R1, R8, 8 * i);
		em_stx(p, R9, ST(args) + 8 * i, R1);
	}
	return true;
}

static bool
args_of_wait(struct load *l, struct why *why)
{
	struct prog *p = &l->p;
	(void)why;
	em_sti(p, R9, ST(nargs), RT_WAIT_ARGS);
	for (int i = 0; i < RT_NARGS; i++) {
		if (i < RT_WAIT_ARGS)
			em_ldx(p, R1, R10, WAIT_AT + 8 * i);
		else
			em_movi(p, R1, 0);
		em_stx(p, R9, ST(args) + 8 * i, R1);
	}
	return true;
}

static bool
args_of_clock(struct load *l, struct why *why)
{
	(void)why;
	em_mov(&l->p, R1, R9);
	em_ldx(&l->p, R2, R8, 8 * ARCH_PC);
	prog_call_rt(&l->p, kern_places[l->use->place].fn);
	return true;
}

static bool
args_of_entry(struct load *l, struct why *why)
{
	static const uint8_t regs[ARCH_NARGS] = ARCH_ARGS;
	struct prog *p = &l->p;
	(void)why;
	em_sti(p, R9, ST(nargs), RT_NARGS);
	for (unsigned i = 0; i < ARCH_NARGS && i < l->nargs; i++) {
		em_ldx(p, R1, R8, 8 * regs[i]);
		em_stx(p, R9, ST(args) + 8 * (int)i, R1);
	}
	/* Arguments on the stack are expensive. */
	if (l->nargs <= ARCH_NARGS)
		return true;
	em_mov(p, R1, R9);
	em_ldx(p, R2, R8, 8 * ARCH_SP);
	prog_call_rt(p, kern_places[l->use->place].fn);
	return true;
}

static bool
args_of_nothing(struct load *l, struct why *why)
{
	(void)why;
	em_sti(&l->p, R9, ST(nargs), 0);
	for (uint32_t i = 0; i < RT_NARGS && i < l->nargs; i++)
		em_sti(&l->p, R9, ST(args) + 8 * (int)i, 0);
	return true;
}

/* arg0 would be the address of the return instruction, which a uretprobe does not know. */
static bool
args_of_return(struct load *l, struct why *why)
{
	args_of_nothing(l, why);
	em_sti(&l->p, R9, ST(nargs), 2);
	em_ldx(&l->p, R1, R8, 8 * ARCH_RESULT);
	em_stx(&l->p, R9, ST(args) + 8, R1);
	return true;
}

static bool
args_of_site(struct load *l, struct why *why)
{
	(void)why;
	load_usdt_args(l);
	return true;
}

static bool
args_of_event(struct load *l, struct why *why)
{
	struct prog *p = &l->p;
	(void)why;
	em_sti(p, R9, ST(nargs), RT_NARGS);
	for (uint32_t i = 0; i < RT_NARGS && i < l->nargs; i++) {
		em_ldx(p, R1, R10, EVENT_AT + (int)offsetof(struct node_event, args) + 8 * (int)i);
		em_stx(p, R9, ST(args) + 8 * (int)i, R1);
	}
	em_mov(p, R1, R9);
	em_ldx(p, R2, R10, EVENT_AT + (int)offsetof(struct node_event, process));
	em_ldx(p, R3, R10, EVENT_AT + (int)offsetof(struct node_event, eproc));
	em_ldx(p, R4, R10, EVENT_AT + (int)offsetof(struct node_event, mfa));
	prog_call_rt(p, kern_places[l->use->place].fn);
	return true;
}

bool
load_arguments(struct load *l, struct why *why)
{
	return kern_places[l->use->place].args(l, why);
}

/* ---- the table ---- */

const struct kern_placing kern_places[] = {
    [KP_FIRE] = {.args = args_of_firing, .here = true},
    [KP_SYS_ENTER] = {"sys_enter", by_number, 0, args_of_call, .fn = "rt_sys_enter"},
    [KP_SYS_EXIT] = {"sys_exit", by_registers, 0, args_of_context, .fn = "rt_sys_exit"},
    [KP_EXEC] = {"sys_enter", by_number, 0, args_of_context, .fn = "rt_exec"},
    [KP_EXEC_FAILED] = {"sys_exit", by_registers, BPF_JSGE, args_of_context, .fn = "rt_exec_failed"},
    [KP_CALLED] = {"sys_enter", by_number, 0, args_of_context, .fn = "rt_called"},
    [KP_CALL_BYTES] = {"sys_exit", by_registers, BPF_JSLE, args_of_context, .fn = "rt_call_bytes"},
    [KP_CALL_FILE] = {"sys_exit", by_registers, BPF_JSLT, args_of_context, .fn = "rt_call_file"},
    [KP_CLOSING] = {"sys_enter", by_number, 0, args_of_context, .fn = "rt_closing"},
    [KP_PRIORITY] = {"sys_exit", by_priority, BPF_JSLT, args_of_priority, .fn = "rt_priority_args"},
    [KP_RAWTP] = {.args = args_of_tracepoint},
    [KP_LOCK] = {.tracepoint = "contention_end", .which = by_wait, .args = args_of_wait, .alone = true},
    [KP_PERF] = {.args = args_of_clock, .fn = "rt_perf_args"},
    [KP_EVENT] = {.args = args_of_context, .fn = "rt_called"},
    [KP_UENTRY] = {.which = by_cookie, .args = args_of_entry, .fn = "rt_stack_args"},
    [KP_URETURN] = {.which = by_cookie, .args = args_of_return, .at_return = true},
    [KP_UOFFSET] = {.which = by_cookie, .args = args_of_nothing},
    [KP_USDT] = {.which = by_site, .args = args_of_site},
    [KP_NODE] = {.which = by_event, .args = args_of_event, .fn = "rt_node_event"},
};
_Static_assert(sizeof kern_places / sizeof *kern_places == KERN_NPLACES, "every place has a row");
