/*
 * The BPF runtime: what lowered clauses call. clang builds it once; it is inside the library and is linked function by
 * function into each program (image.c). The kernel verifies every function that is not static separately, with any
 * arguments, so a clause that calls it adds nothing to prove.
 *
 * Conventions: a function that can fault returns 0 or an enum dif_fault, with the value in st->illval; results are in
 * st->res. Offsets into st->mem are masked and lengths are cut, so that they are always safe; whether they are right is
 * checked before.
 */
#include "rt.h"

#include "arch/arch.h"

#include "object/builtin.h"
#include "object/dif.h"
#include "object/procinfo.h"
#include "object/subr.h"

#define inline_ static inline __attribute__((always_inline))
#define fn_ __attribute__((noinline))

typedef uint64_t u64;
typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef int64_t s64;

static void *(*map_lookup)(void *map, const void *key) = (void *)1;
static long (*map_update)(void *map, const void *key, const void *value, u64 flags) = (void *)2;
static long (*map_delete)(void *map, const void *key) = (void *)3;
static u64 (*ktime_ns)(void) = (void *)5;
static u32 (*random32)(void) = (void *)7;
static u32 (*cpu_id)(void) = (void *)8;
static u64 (*pid_tgid)(void) = (void *)14;
static u64 (*uid_gid)(void) = (void *)15;
static long (*write_user)(u64 to, const void *from, u32 size) = (void *)36;
static long (*get_comm)(void *buf, u32 size) = (void *)16;
static u64 (*current_task)(void) = (void *)35;
static long (*send_signal)(u32 sig) = (void *)109;
static long (*read_user)(void *dst, u32 size, u64 from) = (void *)112;
static long (*read_kernel)(void *dst, u32 size, u64 from) = (void *)113;
static long (*read_user_str)(void *dst, u32 size, u64 from) = (void *)114;
static long (*read_kernel_str)(void *dst, u32 size, u64 from) = (void *)115;
static long (*ring_output)(void *map, void *data, u64 size, u64 flags) = (void *)130;
static u64 (*current_task_btf)(void) = (void *)158;
static u64 (*task_pt_regs)(u64 task) = (void *)175;
static long (*loop)(u32 n, void *fn, void *ctx, u64 flags) = (void *)181;

/*
 * Use this for the result of a callback of loop() that is not a constant: 1 ends the loop. The compiler may return a
 * truth value that it has in a register, or invert it by "r0 ^= 1" (clang 19 does). The verifier does not know the
 * range of that value and refuses it. A truth value that is hidden from the compiler can only be branched on.
 */
inline_ long
ends(u64 truth)
{
	asm volatile("" : "+r"(truth));
	return truth != 0;
}

#define ASK(kind, n) \
	({ \
		u64 v_; \
		asm("%0 = %1 ll" : "=r"(v_) : "i"((u64)(kind) << 32 | (u64)(n))); \
		v_; \
	})
#define MAP(n) ((void *)ASK(RT_ASK_MAP, RT_M_##n))
#define VALUE(n) ((void *)ASK(RT_ASK_VALUE, RT_M_##n))
#define CONST(n) ASK(RT_ASK_CONST, RT_C_##n)
#define CTL ((struct rt_ctl *)VALUE(CTL))

enum { NO_WAKEUP = 1 };
enum { BADADDR = 1, ILLOP = 3, NOSCRATCH = 5, UPRIV = 7, BADINDEX = 12 };
/* enum eng_drop */
enum {
	DROP_PRINCIPAL,
	DROP_AGGREGATION,
	DROP_DYNAMIC,
	DROP_SPEC,
	DROP_SPECBUSY,
	DROP_SPECUNAVAIL,
	DROP_STACKSTR,
	DROP_DBLERROR
};
enum { R_CONST = 0xE701, R_SCRATCH, R_LOCAL, R_GLOBAL, R_ARG, R_BUILTIN, R_TERM };
#define ADDR(region, off) ((u64)(region) << 48 | (u64)(off))

/* Keeps the compiler from reasoning about bounds in a way that the verifier cannot follow. */
#define HIDE(x) asm volatile("" : "+r"(x))
/* Pointer into the state's memory. */
#define AT(st, off) (&(st)->mem[(off) & (RT_MEM - 1)])

inline_ u64
fail(struct rt *st, u64 fault, u64 value)
{
	st->illval = value;
	return fault;
}

inline_ void
drop(u32 why)
{
	__sync_fetch_and_add(&CTL->drops[why], 1);
}

/* Never called: gives the kernel the types of a program and of its clauses. */
fn_ int
rt_main(void *ctx)
{
	return 0;
}

__attribute__((used)) static fn_ int
rt_clause(void *ctx, struct rt *st)
{
	return 0;
}

/* ---- a firing ---- */

/* The time of the firing, taken when it is first asked for. */
inline_ u64
time_of(struct rt *st)
{
	if (!st->ts)
		st->ts = ktime_ns();
	return st->ts;
}

/* The running task, found when it is first asked for, because few clauses do and every call costs. */
inline_ u64
task_of(struct rt *st)
{
	if (!st->task)
		st->task = current_task();
	return st->task;
}

fn_ u64
rt_who(struct rt *st)
{
	if (!st || st->thread)
		return 0;
	u64 id = pid_tgid();
	st->pid = id >> 32;
	st->tid = (u32)id;
	/* Every CPU has its own idle thread, and all have the number 0. */
	st->thread = id ? (u32)id : (u64)1 << 32 | cpu_id();
	return 0;
}

#include "rt_node.bpf.h"

/* Returns whether a firing is running on this CPU. */
fn_ u64
rt_is_firing(u32 cpu)
{
	for (u32 i = 0; i < RT_LEVELS; i++) {
		u32 key = cpu * RT_LEVELS + i;
		struct rt *st = map_lookup(MAP(STATES), &key);
		if (!st || st->busy)
			return 1;
	}
	return 0;
}

/* For tracepoints that the runtime itself hits: returns whether no other firing is running. */
fn_ u64
rt_is_alone(u32 unused)
{
	if (!rt_is_firing(cpu_id()))
		return 1;
	__sync_fetch_and_add(&CTL->lost_nested, 1);
	return 0;
}

/* The first state of this CPU is taken: takes another one. Returns its index, or -1. */
fn_ int
rt_enter(u32 first)
{
	for (u32 i = 1; i < RT_LEVELS; i++) {
		u32 key = first + i;
		struct rt *st = map_lookup(MAP(STATES), &key);
		if (!st)
			return -1;
		if (__sync_val_compare_and_swap(&st->busy, 0, 1) == 0)
			return (int)key;
	}
	__sync_fetch_and_add(&CTL->lost_nested, 1);
	return -1;
}

inline_ int
may_run(const struct rt *st)
{
	u64 state = CTL->state;
	return state == RT_RUNNING || (state != RT_SETUP && (st->kind == RT_END || st->kind == RT_ERROR));
}

/* The probe that fired: its number, and where its names are among the constants. */
inline_ u64
probe_id(struct rt *st)
{
	u32 n = st->probe;
	struct rt_probe *p = map_lookup(MAP(PROBES), &n);
	return p ? p->id : 0;
}

inline_ u64
probe_names(struct rt *st)
{
	u32 n = st->probe;
	struct rt_probe *p = map_lookup(MAP(PROBES), &n);
	return p ? p->names : 0;
}

/* The firing is about another thread than the running one: off-cpu's successor. */
fn_ u64
rt_subject(struct rt *st, u64 task)
{
	if (!st)
		return 0;
	u32 tid = 0, tgid = 0;
	read_kernel(&tid, 4, task + CONST(TASK_PID));
	read_kernel(&tgid, 4, task + CONST(TASK_TGID));
	st->task = task;
	st->pid = tgid;
	st->tid = tid;
	st->thread = tid ? tid : (u64)1 << 32 | cpu_id();
	return 0;
}

/* Whether a task is its process's first thread. */
fn_ u64
rt_is_leader(u64 task)
{
	u32 tid = 0, tgid = 1;
	read_kernel(&tid, 4, task + CONST(TASK_PID));
	read_kernel(&tgid, 4, task + CONST(TASK_TGID));
	return tid == tgid;
}

/* Returns whether it is not a CPU's idle thread. */
fn_ u64
rt_is_busy(u64 task)
{
	u32 tid = 0;
	read_kernel(&tid, 4, task + CONST(TASK_PID));
	return tid != 0;
}

/* Whether a task has never run. */
fn_ u64
rt_is_new(u64 task)
{
	u64 ran = 1;
	read_kernel(&ran, 8, task + CONST(TASK_VTIME));
	return ran == 0;
}

/* Returns size bytes at an address of the kernel, or 0 if they cannot be read. */
fn_ u64
rt_field(u64 at, u64 size)
{
	u64 v = 0;
	u32 n = size;
	if (n > 8)
		return 0;
	HIDE(n);
	n &= 15;
	if (n > 8 || read_kernel(&v, n, at))
		return 0;
	return v;
}

fn_ u64
rt_is_away(u64 cpu)
{
	return (u32)cpu != cpu_id();
}

#include "rt_task.bpf.h"

/* CLD_EXITED, CLD_KILLED or CLD_DUMPED, from the status that the parent will get. */
fn_ u64
rt_exit_reason(u64 task)
{
	u32 code = 0;
	read_kernel(&code, 4, task + CONST(TASK_EXIT_CODE));
	return code & 0x80 ? 3 : code & 0x7f ? 2 : 1;
}

/* Returns whether a clause that is not the firing's first may run: not after exit() in an earlier one. */
fn_ u64
rt_next(struct rt *st)
{
	return st && may_run(st);
}

#include "rt_mem.bpf.h"

/* ---- keys, records ---- */

/* A string of a key or a record at offset `to`: zeroes up to `size` follow it. */
fn_ u64
rt_put_str(struct rt *st, u64 to, u64 addr, u64 size)
{
	if (!st)
		return 0;
	u64 fault = rt_strn(st, to, addr, size - 1);
	if (fault)
		return fault;
	if (size > st->len + 8)
		rt_zero(st, to + st->len, size - st->len);
	return 0;
}

/* Bytes of a record: more than rt_read() takes at once. */
fn_ u64
rt_put_mem(struct rt *st, u64 to, u64 addr, u64 n)
{
	if (!st)
		return 0;
	for (u32 i = 0; i < 16; i++) {
		u64 piece = n < RT_MAXSTR ? n : RT_MAXSTR, fault;
		if (piece == 0)
			break;
		if ((fault = rt_read(st, to, addr, piece)))
			return fault;
		to += piece;
		addr += piece;
		n -= piece;
	}
	return 0;
}

/* Room for a record in its shard's share of the buffer. */
inline_ int
has_room(struct rt *st, u32 shard, u64 cost)
{
	u64 reserve = st->kind == RT_END || CTL->state == RT_STOPPED ? 0 : CONST(RESERVE);
	if (shard >= RT_MAXCPU)
		return 0;
	HIDE(shard);
	if (shard >= RT_MAXCPU)
		return 0;
	u64 *written = &CTL->written[shard];
	u64 now = __sync_fetch_and_add(written, cost);
	if (now + cost + reserve - CTL->taken[shard] <= CONST(BUFSIZE))
		return 1;
	__sync_fetch_and_add(written, -cost);
	return 0;
}

/* Returns 0 if the record was lost. */
inline_ u64
emit(struct rt *st, u64 data)
{
	struct rt_rec *r = (struct rt_rec *)&st->mem[RT_REC];
	u64 size = sizeof *r + data;
	r->time = time_of(st);
	r->cpu = cpu_id();
	r->shard = st->fired ? 0 : r->cpu;
	r->cut = CTL->active >> RT_CUT_SHIFT;
	HIDE(size);
	if (size > sizeof *r + RT_MAXREC)
		return 0;
	if (CTL->filled && st->kind != RT_END)
		return 0;
	/* The consumer decides how much a speculation may hold. */
	if ((r->spec || has_room(st, r->shard, RT_REC_COST + (r->type == RT_RT_FAULT ? 16 : data))) &&
	    ring_output(MAP(RING), r, size, NO_WAKEUP) == 0)
		return 1;
	if (CONST(FILL))
		CTL->filled = 1;
	else
		drop(DROP_PRINCIPAL);
	return 0;
}

/* A record of a speculation needs room there; without it the clause ends. */
fn_ u64
rt_spec_room(struct rt *st, u64 data)
{
	if (!st || !st->spec || st->norec)
		return 0;
	u64 i = (st->spec & 0xffff) - 1, cost = RT_REC_COST + data;
	HIDE(i);
	if (i >= RT_MAXSPEC)
		return 0;
	if (CTL->spec_used[i] + cost > CONST(SPECSIZE)) {
		drop(DROP_SPEC);
		return 255;
	}
	__sync_fetch_and_add(&CTL->spec_used[i], cost);
	return 0;
}

fn_ u64
rt_rec_end(struct rt *st, u64 epid, u64 data)
{
	if (!st || st->norec)
		return 0;
	struct rt_rec *r = (struct rt_rec *)&st->mem[RT_REC];
	r->type = RT_RT_DATA;
	r->epid = epid;
	r->spec = st->spec;
	r->fault = -1;
	return emit(st, data);
}

/* Makes later values go to another set, if one is empty. Other CPUs may move on to the next one meanwhile. */
fn_ u64
rt_cut(struct rt *st)
{
	if (!st || !st->cut)
		return 0;
#pragma clang loop unroll(disable)
	for (u32 i = 0; i < 8; i++) {
		u64 old = CTL->active, sets = old & ((1ull << RT_CUT_SHIFT) - 1);
		if (sets - CTL->emptied >= RT_SETS_CUTS - 1)
			break;
		if (__sync_val_compare_and_swap(&CTL->active, old, old + 1 + (1ull << RT_CUT_SHIFT)) == old)
			break;
	}
	return 0;
}

/* ---- faults ---- */

/* A clause has faulted: prepares for ERROR's clauses. Returns 0 if they must not run, because this was one of them. */
fn_ u64
rt_fault(struct rt *st, u32 error_probe)
{
	if (!st)
		return 0;
	__sync_fetch_and_add(&CTL->errors, 1);
	if (st->kind == RT_ERROR) {
		drop(DROP_DBLERROR);
		return 0;
	}
	for (u32 i = 0; i < RT_NARGS; i++) {
		st->saved[i] = st->args[i];
		st->args[i] = 0;
	}
	st->saved[RT_NARGS] = st->nargs;
	st->saved_probe = st->probe;
	st->saved_kind = st->kind;
	st->nargs = 6;
	st->args[1] = st->fault_epid;
	st->args[2] = st->fault_action;
	st->args[3] = st->fault_pc;
	st->args[4] = st->fault;
	st->args[5] = st->illval;
	st->lbase = RT_ELOCAL;
	if (error_probe != ~0u) {
		st->probe = error_probe;
		st->kind = RT_ERROR;
	}
	return 1;
}

/* ERROR's clauses have run: goes back to the firing and records the fault. */
fn_ u64
rt_fault_end(struct rt *st)
{
	if (!st)
		return 0;
	struct rt_rec *r = (struct rt_rec *)&st->mem[RT_REC];
	r->type = RT_RT_FAULT;
	r->epid = st->args[1];
	r->fault_action = st->args[2];
	r->fault_pc = st->args[3];
	r->fault = st->args[4];
	r->fault_value = st->args[5];
	r->spec = 0;
	for (u32 i = 0; i < RT_NARGS; i++)
		st->args[i] = st->saved[i];
	st->nargs = st->saved[RT_NARGS];
	st->lbase = RT_LOCAL;
	st->probe = st->saved_probe;
	st->kind = st->saved_kind;
	emit(st, 0);
	return 0;
}

fn_ u64
rt_drop(u32 why)
{
	if (why < RT_NDROPS) {
		HIDE(why);
		if (why < RT_NDROPS)
			__sync_fetch_and_add(&CTL->drops[why], 1);
	}
	return 0;
}

/* ---- dynamic variables ---- */

/* Copies n bytes at the kernel address st->ptr into scratch; if that is 0, zeroes. */
fn_ u64
rt_dyn_copy(struct rt *st, u64 n)
{
	if (!st)
		return 0;
	u64 from = st->ptr, fault = scratch_new(st, n);
	if (fault)
		return fault;
	HIDE(n);
	n &= RT_MAXSTR * 2 - 1;
	read_kernel(AT(st, st->ptr), n, from ? from : st->cbase);
	return 0;
}

/* ---- aggregations ---- */

/* quantize()'s bucket: 63 is zero. */
fn_ int
rt_quantize(u64 v)
{
	u64 neg = (s64)v < 0, x = neg ? -v : v;
	int log = 0;
	if (!v)
		return 63;
	if (x >> 32)
		log += 32, x >>= 32;
	if (x >> 16)
		log += 16, x >>= 16;
	if (x >> 8)
		log += 8, x >>= 8;
	if (x >> 4)
		log += 4, x >>= 4;
	if (x >> 2)
		log += 2, x >>= 2;
	if (x >> 1)
		log += 1;
	if (log > 62)
		log = 62;
	return neg ? 62 - log : 64 + log;
}

/* ---- arguments ---- */

/* There are n arguments; those beyond are 0. */
inline_ void
has_args(struct rt *st, u32 n)
{
	st->nargs = n;
	for (u32 i = n; i < RT_NARGS; i++)
		st->args[i] = 0;
}

/* The arguments of a system call; their registers are within the first words of struct pt_regs. */
fn_ u64
rt_sys_enter(struct rt *st, u64 regs, u64 nr)
{
	static const u8 at[ARCH_CALL_NARGS] = ARCH_CALL_ARGS;
	u64 r[ARCH_CALL_WORDS] = {0};
	if (!st)
		return 0;
	read_kernel(r, sizeof r, regs);
#pragma clang loop unroll(full)
	for (u32 i = 0; i < ARCH_CALL_NARGS; i++)
		st->args[i] = r[at[i]];
	has_args(st, ARCH_CALL_NARGS);
	return 0;
}

/* The result twice, as in DTrace: -1 and errno if the call has failed. */
fn_ u64
rt_sys_exit(struct rt *st, u64 regs, u64 ret)
{
	if (!st)
		return 0;
	st->err = 0;
	if ((s64)ret < 0 && (s64)ret >= -4095) {
		st->err = -ret;
		ret = ~0ull;
	}
	st->args[0] = st->args[1] = ret;
	has_args(st, 2);
	return 0;
}

/* The path is execve's first argument and execveat's second. */
fn_ u64
rt_exec(struct rt *st, u64 regs, u64 nr)
{
	if (!st)
		return 0;
	rt_sys_enter(st, regs, nr);
	st->args[0] = nr == ARCH_NR_EXECVEAT ? st->args[1] : st->args[0];
	has_args(st, 1);
	return 0;
}

fn_ u64
rt_exec_failed(struct rt *st, u64 regs, u64 ret)
{
	if (!st)
		return 0;
	rt_sys_exit(st, regs, ret);
	st->args[0] = st->err;
	has_args(st, 1);
	return 0;
}

/* ---- packets ---- */

/* Returns a part of a packet (enum rt_packet), or 0 if it has none. */
fn_ u64
rt_packet(u64 skb, u64 what)
{
	u64 head = 0, at, received = what & RT_PKT_RECEIVED, protocol;
	u8 b = 0;
	u16 net = 0;
	what &= RT_PKT_RECEIVED - 1;
	if (what == RT_PKT_NONE)
		return 0;
	if (what == RT_PKT_SOCK || what == RT_PKT_DEV)
		return rt_field(skb + (what == RT_PKT_SOCK ? CONST(SKB_SOCK) : CONST(SKB_DEV)), 8);
	if (received) {
		at = rt_field(skb + CONST(SKB_DATA), 8);
	} else {
		head = rt_field(skb + CONST(SKB_HEAD), 8);
		read_kernel(&net, 2, skb + CONST(SKB_NET));
		at = head + net;
	}
	protocol = rt_field(skb + CONST(SKB_PROTO), 2); /* as on the wire */
	switch (what) {
	case RT_PKT_IP4:
		return protocol == 0x0008 ? at : 0;
	case RT_PKT_IP6:
		return protocol == 0xdd86 ? at : 0;
	case RT_PKT_NEXT:
		if (protocol != 0x0008)
			return at + 40;
		read_kernel(&b, 1, at);
		return at + (b & 15) * 4;
	default:
		return at;
	}
}

/* Returns whether it is a packet of IP and, unless that is 0, of the protocol in the lowest byte. */
fn_ u64
rt_is_packet(u64 skb, u64 what)
{
	u64 protocol = rt_field(skb + CONST(SKB_PROTO), 2), is4 = protocol == 0x0008;
	u8 b = 0;
	if (!is4 && protocol != 0xdd86)
		return 0;
	if (!(what & 0xff))
		return 1;
	read_kernel(&b, 1, rt_packet(skb, (what & RT_PKT_RECEIVED) | RT_PKT_IP) + (is4 ? 9 : 6));
	return b == (what & 0xff);
}

/* Returns whether it answers the beginning of a connection with a reset: RST and ACK, sequence number 0. */
fn_ u64
rt_is_refusal(u64 skb)
{
	u8 h[14] = {0};
	if (!rt_is_packet(skb, 6) || read_kernel(h, sizeof h, rt_packet(skb, RT_PKT_NEXT)))
		return 0;
	return (h[13] & 0x17) == 0x14 && !h[4] && !h[5] && !h[6] && !h[7];
}

/* One more of something, for providers that count. */
fn_ u64
rt_called(struct rt *st, u64 regs, u64 nr)
{
	if (!st)
		return 0;
	st->args[0] = 1;
	has_args(st, 1);
	return 0;
}

fn_ u64
rt_call_bytes(struct rt *st, u64 regs, u64 ret)
{
	if (!st)
		return 0;
	rt_called(st, regs, 0);
	st->args[0] = ret;
	return 0;
}

/* After the call its first argument is still there, if only in another place. */
fn_ u64
rt_call_file(struct rt *st, u64 regs, u64 ret)
{
	if (!st)
		return 0;
	st->args[0] = 0;
	read_kernel(&st->args[0], 8, regs + 8 * ARCH_CALL_KEPT);
	st->args[1] = ret;
	has_args(st, 2);
	return 0;
}

fn_ u64
rt_closing(struct rt *st, u64 regs, u64 nr)
{
	return rt_call_file(st, regs, 0);
}

/* Where the CPU was: arg0 in the kernel, arg1 in a process. */
fn_ u64
rt_perf_args(struct rt *st, u64 ip)
{
	if (!st)
		return 0;
	st->args[0] = is_user(ip) ? 0 : ip;
	st->args[1] = is_user(ip) ? ip : 0;
	has_args(st, 2);
	return 0;
}

#include "rt_subr.bpf.h"
#include "rt_text.bpf.h"
#include "rt_user.bpf.h"
#include "rt_agg.bpf.h"
#include "rt_json.bpf.h"
#include "rt_path.bpf.h"
#include "rt_lock.bpf.h"
#include "rt_vtime.bpf.h"
#include "rt_erlang.bpf.h"
