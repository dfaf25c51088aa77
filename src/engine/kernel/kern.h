/*
 * The kernel engine's insides: what its files share.
 *
 * create() lays out maps and makes them. bind() gathers which clauses each probe has. start() lowers and loads a
 * program for each probe that this process fires (BEGIN, END, tick). The providers ask for a program for each place of
 * the kernel that they attach to. Everything in the kernel hangs on file descriptors of this process and is gone with
 * it.
 */
#ifndef ET_ENGINE_KERNEL_KERN_H
#define ET_ENGINE_KERNEL_KERN_H

#include "btf/kbtf.h"
#include "engine/engine.h"
#include "engine/kernel/rt/rt.h"

#include <linux/bpf.h>
#include <stdbool.h>

/* ---- sys.c: bpf(2). All return a descriptor, or -1 with errno. ---- */

struct map_def {
	uint32_t type, key, value, entries, flags;
	const char *name;
};
int sys_map_create(const struct map_def *d);
int sys_map_update(int fd, const void *key, const void *value, uint64_t flags);
int sys_map_freeze(int fd);
int sys_btf_load(const void *btf, uint32_t len);
/* attach: the expected attach type, or 0, and in the upper half the function (its BTF id) that a tracing program is
 * for; log may be NULL */
int sys_prog_load(uint32_t type, uint64_t attach, const struct bpf_insn *insns, uint32_t n, int btf,
    const struct bpf_func_info *fi, uint32_t nfi, char *log, uint32_t loglen);
int sys_link_perf(int prog, int event, uint64_t cookie);
enum { SYS_UPROBE_MULTI = 48 }; /* BPF_TRACE_UPROBE_MULTI, from Linux 6.6 on */
/* refs may be NULL; pid 0 means every process */
int sys_link_uprobes(int prog, const char *path, const uint64_t *offsets, const uint64_t *refs, const uint64_t *cookies,
    uint32_t n, bool at_return, int64_t pid);
int sys_raw_tp_open(int prog, const char *name);
/* Functions of the kernel by their names, each with its cookie; from Linux 5.18 on. */
int sys_link_kprobes(int prog, const char *const *names, const uint64_t *cookies, uint32_t n, bool at_return);
/* Returns how often a program was not run because it was already running on that CPU. */
uint64_t sys_prog_missed(int prog);
/* ns that a program has run, counted while somebody has the descriptor of sys_enable_stats() open. */
uint64_t sys_prog_spent(int prog);
int sys_enable_stats(void);
int sys_test_run(int prog, const uint64_t *ctx, uint32_t len);
/* Says what is missing, after one of these failed with EPERM. */
void sys_not_permitted(struct why *why);
/* Says in words why perf_event_open(2) failed, in buf or as a constant. */
const char *sys_perf_error(int err, char *buf, size_t len);
int sys_map_delete(int fd, const void *key);

/* ---- image.c: the runtime's object file, read in place ---- */

struct image_func {
	const char *name;
	uint32_t start, n; /* instructions of the text */
	uint32_t type;     /* BTF id */
};
struct rt_image {
	const struct bpf_insn *text;
	uint32_t ntext;
	struct image_func *funcs; /* by start */
	uint32_t nfuncs;
	int32_t *target; /* [ntext]: function that the instruction refers to, or -1 */
	const void *btf;
	uint32_t btflen;
};
bool image_open(struct rt_image *im, bool big, struct why *why); /* big: RT_BIG */
void image_close(struct rt_image *im);
int image_find(const struct rt_image *im, const char *name); /* -1 if none */

/* ---- prog.c: a program being made ---- */

enum fix_kind { FIX_RT, FIX_SUB }; /* a function of the runtime, a function of this program */
struct fixup {
	uint32_t at;
	enum fix_kind kind;
	uint32_t to;
};
struct prog {
	const struct rt_image *im;
	struct bpf_insn *insns;
	uint32_t n, cap;
	struct fixup *fixups;
	uint32_t nfixups, capfixups;
	struct bpf_func_info *fi;
	uint32_t nfi, capfi;
	uint32_t *subs; /* start of each function of this program */
	uint32_t nsubs, capsubs;
	bool oom;
	char missing[64]; /* a function that the runtime does not have */
};
void prog_init(struct prog *p, const struct rt_image *im);
void prog_free(struct prog *p);
void prog_emit(struct prog *p, uint8_t code, unsigned dst, unsigned src, int off, int32_t imm);
void prog_imm64(struct prog *p, unsigned dst, unsigned src, uint64_t imm); /* src: BPF_PSEUDO_… */
void prog_call_rt(struct prog *p, const char *name);
void prog_call_sub(struct prog *p, uint32_t sub);
uint32_t prog_sub(struct prog *p, const char *type); /* starts a function here and returns its number; type: a
						      * function of the runtime */
/* Appends the functions of the runtime that are used, and resolves all references. */
bool prog_link(struct prog *p, const int *maps, const uint64_t *consts, struct why *why);

/* ---- engine ---- */

struct kkey {
	uint8_t kind, is_signed, shift;
	uint32_t size, frames, off; /* off: in the fixed tuple */
	uint32_t bytes;             /* in the fixed tuple */
};
struct kvar {
	uint8_t scope, kind, assoc;
	uint32_t nbytes, size, off;
	uint32_t key, nkeys, keybytes;
	int map; /* thread-local and associative ones */
};
struct kagg {
	const struct dobj_agg *d;
	uint32_t nwords, key, nkeys, keybytes;
	/* Values: for each of the sets, for each copy, for each entry. Without keys there is one entry, and a copy
	 * for each state. With keys there is a copy for each CPU. Large values have only one copy. */
	uint32_t entries, copies;
	uint32_t stride; /* words from one value to the next: nwords, or more in a map that several share */
	int map;         /* where the values are, from element `base` on */
	uint32_t base;
	uint64_t *words; /* mapped: the first value */
	/* With keys: as struct rt_agg of the first set; the others follow. */
	uint32_t index, mask, lines, per;
};
/* A map with the values of one aggregation or of several. */
struct kaggmap {
	int fd;
	uint32_t stride;
	uint64_t elements;
	uint64_t *words; /* mapped */
};
struct kbound {
	uint32_t clause, epid;
};
struct kprobe {
	uint32_t id;
	enum eng_role role;
	const char *names[4];
	struct kbound *bound;
	uint32_t nbound, cap;
	int prog; /* for firing it from here, or -1 */
};

struct held; /* a record of a speculation */
/* A file whose unwinding data is in RT_M_ROWS. */
enum { KERN_UNWOUND = 64 };
struct kunwound {
	uint64_t dev, ino;
	uint32_t first, n;
};

struct kernel_engine {
	const struct dobj *o;
	struct eng_conf conf;
	uint32_t strsize, ncpus;
	struct rt_image im;
	int btf;
	int maps[RT_NMAPS];
	uint64_t consts[RT_NCONSTS];
	struct engine *half; /* in a node, if the script knows one: struct kern_node */
	const struct engine_ops *half_ops;
	struct rt_ctl *ctl;
	uint32_t scale; /* of the runtime's memory: 1 or RT_BIG; see RT_IN */
	char *states;   /* mapped: of struct rt, `statestep` apart */
	size_t states_len, statestep, ctl_len;
	struct kkey *keys;
	struct kvar *vars;
	struct kagg *aggs;
	struct kaggmap *aggmaps;
	uint32_t naggmaps;
	uint32_t nsets;          /* of aggregations */
	uint64_t cut;            /* of the first set that is not empty again */
	uint64_t nindex, nlines; /* elements of their maps, which are mapped */
	uint64_t *agg_index;
	struct rt_line *agg_lines;
	uint32_t gscalars, lscalars; /* offsets of the scalars in their region */
	uint32_t gbytes, lbytes, gsize, lsize;
	struct kprobe *probes;
	uint32_t nprobes, capprobes;
	const uint8_t *fired; /* mapped: which probes have fired */
	size_t fired_len;
	struct eng_epid *epids;
	uint32_t nepids, capepids;
	int error_probe;
	uint64_t end_reserve;
	char *cdata; /* constants, as they will be in the map */
	size_t clen, ccap;
	/* ring buffer */
	char *ring_ctl, *ring_data;
	size_t ring_size;
	struct held *held, *held_last;
	/* links and programs, closed in stop */
	int *fds;
	uint32_t nfds, capfds;
	/* programs of probes, for asking how often the kernel skipped one; closed in stop */
	int *progs;
	struct kunwound unwound[KERN_UNWOUND];
	unsigned nunwound;
	uint32_t nrows; /* of all of them */
	int stats;      /* -1, or a descriptor; while it is open the kernel counts how long programs run */
	uint32_t nprogs, capprogs;
	uint64_t missed, spent; /* from programs that are closed */
	bool forgets;           /* threads that end are forgotten */
	bool vtimes;            /* the run time of threads is recorded */
	bool requeues;          /* requests that devices give back are known */
	struct kbtf *kernel_types;
	enum { KERN_UNKNOWN, KERN_YES, KERN_NO } writes; /* whether programs may write to processes */
	char *log;                                       /* what the verifier said last */
	char *notes;                                     /* what could not be attached to, a line each; or NULL */
};

/* What `struct engine` of engine.h is here. */
static inline struct kernel_engine *
kernel_of(const struct engine *e)
{
	return (struct kernel_engine *)(uintptr_t)e;
}

/*
 * A raw tracepoint, and how a probe on it gets its arguments: providers fill it in. The tracepoint's own arguments are
 * counted from 0.
 */
struct kern_tp {
	const char *name;
	unsigned nargs; /* of the tracepoint */
	bool alone;     /* does not fire inside another firing, because the runtime itself hits the tracepoint */
	bool all;       /* the probe's arguments are the tracepoint's; `args` is ignored */
	int subject;    /* KERN_ARG(n): the task that the probe is about, for pid, tid, execname, self->; 0 for the
			 * running one */
	/* The probe fires if all of these hold. */
	struct kern_when {
		enum {
			KW_END,
			KW_SET,     /* argument n is not 0 */
			KW_CLEAR,   /* it is 0 */
			KW_LEADER,  /* it is a task: a process's first thread */
			KW_THREAD,  /* it is a task: not a process's first thread */
			KW_BUSY,    /* it is a task: not an idle one */
			KW_NEW,     /* it is a task that has never run */
			KW_PACKET,  /* it is a packet: rt_is_packet() of it and of `value` */
			KW_IS,      /* its value is `value` */
			KW_BITS,    /* its value masked with `mask` is `value` */
			KW_ANY,     /* it has one of the bits of `value` */
			KW_IDLE,    /* it is a task: an idle one */
			KW_USER,    /* it is an address of a process */
			KW_KERNEL,  /* it is an address of the kernel */
			KW_AWAY,    /* it is the number of another CPU */
			KW_FIRST,   /* it is a request that was not given back by its device before */
			KW_MEMORY,  /* it is a request with memory of one of the kinds of `value`: enum rt_request */
			KW_FAULT,   /* it is a signal, the next argument what is known of it: of a fault */
			KW_REFUSAL, /* it is a packet of TCP, on its way out: the answer to a connection that nobody
				       takes */
			KW_FIELD,   /* it points at a structure, whose member masked with `mask` is `value` */
		} what;
		unsigned n;
		int32_t value, mask;
		unsigned size; /* of the member: 1, 2, 4, 8 bytes */
		const char *type, *member;
	} when[4];
	/* arg0 and on; the rest are 0. */
	struct kern_arg {
		enum {
			KA_END,
			KA_RAW,    /* argument n */
			KA_FIELD,  /* `size` bytes (1, 2, 4, 8) of a member ("a.b") of the structure that argument n
				      points at */
			KA_NUMBER, /* n itself */
			KA_PACKET, /* `size`, an enum rt_packet, of the packet that argument n is */
			KA_PAGES,  /* how many pages the request that argument n is moves */
			KA_LENT,   /* the priority that task n gets, lent by the task that is the next argument */
			KA_FAULT,  /* the number of a fault (FLT…), from argument n, a signal, and the next */
			KA_REASON, /* why the task that is argument n ends: CLD_EXITED, CLD_KILLED, CLD_DUMPED */
		} what;
		unsigned n, size;
		const char *type, *member;
	} args[RT_NARGS];
};
#define KERN_ARG(n) ((n) + 1)

/* What a program is attached to. */
enum kern_place {
	KP_FIRE,      /* from this process: arguments as in struct firing, their number in the 11th */
	KP_SYS_ENTER, /* raw tracepoint sys_enter */
	KP_SYS_EXIT,
	KP_EXEC,        /* sys_enter of execve and execveat: arg0 is the path */
	KP_EXEC_FAILED, /* sys_exit of them, when they fail: arg0 is errno */
	KP_CALLED,      /* sys_enter: arg0 is 1 */
	KP_CALL_BYTES,  /* sys_exit of a call whose result is above 0: arg0 is the result */
	KP_CALL_FILE,   /* sys_exit of a call that did not fail: arg0 is its first argument, arg1 its result */
	KP_CLOSING,     /* sys_enter: arg0 is its first argument, arg1 0 */
	KP_PRIORITY, /* sys_exit of a call that has set a thread's priority: arg0, arg1 the thread, arg2 the new one */
	KP_RAWTP,    /* any other raw tracepoint */
	KP_LOCK,     /* contention_end: a wait for a lock that is over; keys are of enum rt_waitkind */
	KP_PERF,     /* perf event: arg0 and arg1 are where it was */
	KP_EVENT,    /* perf event: arg0 is 1 */
	/* Uprobes: the number of the probe (or, for USDT, of the place) comes as the attachment's cookie. */
	KP_UENTRY,  /* a function's entry: arguments by the ABI */
	KP_URETURN, /* its return: arg1 is the value */
	KP_UOFFSET, /* any other instruction */
	KP_USDT,    /* arguments as the note says */
	KP_NODE,    /* the site of a script in an Erlang node: struct node_event */
	KERN_NPLACES
};
struct load;
/* A row of the table of places, in load/places.c. */
struct kern_placing {
	const char *tracepoint;                           /* a raw one; NULL if the use says where it is */
	unsigned (*which)(struct load *l, uint32_t *out); /* finds out which probe it is; NULL if there is only one */
	uint8_t unless;                                   /* BPF_J…: not fired when this holds of the result and 0 */
	bool (*args)(struct load *l, struct why *why);    /* gets the arguments */
	const char *fn;                                   /* of the runtime, which `args` calls */
	bool here;      /* this process fires it: there is no stack that means anything */
	bool at_return; /* of a function */
	bool alone;     /* as in struct kern_tp */
};
extern const struct kern_placing kern_places[]; /* by enum kern_place */
struct kern_use {
	enum kern_place place;
	uint32_t type;          /* BPF_PROG_TYPE_… */
	uint64_t attach;        /* as sys_prog_load() has it */
	const unsigned *probes; /* indices */
	unsigned nprobes;
	const uint32_t *keys;      /* of system calls, waits and events of a node: the number of each */
	const struct kern_tp *tp;  /* KP_RAWTP */
	bool several;              /* the program has several probes, told apart by keys or cookies */
	const struct rt_loc *locs; /* KP_USDT: indexed by the number in the cookie */
	unsigned nlocs;
	uint64_t key; /* KP_NODE: of the events that are ours */
};

enum { KERN_MAX_FRAMES = 127 }; /* of a stack: the kernel's own limit */

/* ---- lower*.c ---- */

struct lower {
	struct kernel_engine *e;
	struct prog *p;
	const struct dobj_clause *c;
	const struct kern_use *use;
	uint32_t pc;
	bool is_error;  /* lowered for the ERROR probe */
	unsigned depth; /* functions of the program that are on the stack in the clause */
	uint32_t fault_sub;
	uint32_t lbase;  /* RT_LOCAL or RT_ELOCAL */
	uint32_t *place; /* [ncode + 1]: where each instruction starts */
	struct lfix {
		uint32_t at, pc;
		bool fault; /* to the fault stub of pc; else to the instruction */
	} * fixes;
	uint32_t nfixes, capfixes;
	bool oom;
	struct why *why;
};
/*
 * Lowers the clause, with the state in r9 and the context in r8. Returns false with why. After it, what follows runs; a
 * fault calls `fault_sub` first. A clause of ERROR ends the function instead; then r0 is 1 after a fault.
 */
bool lower_clause(struct kernel_engine *e, struct prog *p, const struct kern_use *use, uint32_t clause, bool is_error,
    unsigned depth, uint32_t fault_sub, struct why *why);
void lower_refuse(struct lower *l, const char *what);
void lower_rec_begin(struct lower *l, const struct dif_insn *in);
void lower_rec_field(struct lower *l, const struct dif_insn *in);
void lower_rec_end(struct lower *l);
void lower_agg(struct lower *l, const struct dif_insn *in);
void lower_dyn(struct lower *l, const struct dif_insn *in);
/* Makes keys in RT_KEY: each at its fixed offset, or packed (then r3 is their size). */
void lower_keys(struct lower *l, uint32_t key, uint32_t nkeys, uint32_t slot, uint32_t base);
void lower_tuple(struct lower *l, uint32_t key, uint32_t nkeys, uint32_t slot);
/* caller, ucaller, stackdepth or ustackdepth (enum dif_builtin), in r0. */
void lower_frames(struct lower *l, unsigned id);
/* After a call of the runtime: goes to the fault stub unless r0 is 0. */
void lower_check(struct lower *l);

/* ---- load.c: a whole program for a place ---- */
int kern_load(struct kernel_engine *e, const struct kern_use *use, struct why *why); /* descriptor, -1 */
bool kern_keep(struct kernel_engine *e, int fd); /* closed when the engine stops; if memory runs out it is closed at
						  * once and this returns false */
uint64_t kern_missed(const struct kernel_engine *e);
/* ns that the programs have run, while e->stats is open */
uint64_t kern_spent(const struct kernel_engine *e);
void kern_progs_close(struct kernel_engine *e);

/* ---- maps.c ---- */
bool kern_layout(struct kernel_engine *e, struct why *why);
bool kern_maps(struct kernel_engine *e, struct why *why);
bool kern_maps_start(struct kernel_engine *e, struct why *why); /* constants and probes are known */
unsigned kern_frames(const struct dobj_sizes *s, unsigned kind, uint64_t arg);

/* ---- aggs.c ---- */
typedef void kern_snap_fn(void *arg, unsigned agg, const void *key, size_t keylen, const uint64_t *words);
void kern_aggs_layout(struct kernel_engine *e); /* nwords and the keys are known */
bool kern_aggs_make(struct kernel_engine *e);   /* returns false with errno */
void kern_aggs_free(struct kernel_engine *e);
void kern_snap(struct engine *e, kern_snap_fn *fn, void *arg);

bool kern_uses_vtime(const struct kernel_engine *e); /* whether a clause asks for vtimestamp */

/* ---- drain.c ---- */
void kern_drain(struct engine *e, void (*fn)(void *arg, unsigned shard, const struct eng_rec *rec), void *arg);
void kern_held_free(struct kernel_engine *e);
void kern_wait(struct kernel_engine *e); /* waits until every firing that runs now has ended */

/* ---- attach.c: what providers call ---- */
/* What clauses need to know of threads: before anything else is attached. */
bool kern_watch_threads(struct kernel_engine *e, struct why *why);
/* place: one of system calls. */
bool kern_attach_syscalls(struct engine *e, const unsigned *probes, const uint32_t *numbers, unsigned n,
    enum kern_place place, struct why *why);
/* kinds: of enum rt_waitkind */
bool kern_attach_locks(struct engine *e, const unsigned *probes, const uint32_t *kinds, unsigned n, struct why *why);
bool kern_attach_rawtp(struct engine *e, const struct kern_tp *tp, unsigned probe, struct why *why);
/* Attaches to a function of the kernel by its BTF number. tp's arguments are the function's and, at its return, its
 * value. */
bool kern_attach_function(
    struct engine *e, const struct kern_tp *tp, uint32_t function, bool at_return, unsigned probe, struct why *why);
/* Attaches to each event of a kind that perf counts (PERF_COUNT_SW_…). */
bool kern_attach_event(struct engine *e, unsigned probe, uint64_t event, struct why *why);
bool kern_attach_profile(struct engine *e, unsigned probe, uint64_t period_ns, struct why *why);

/* ---- kprobe.c ---- */
/* A function of the kernel; several of one name are one. */
struct kern_kprobe {
	unsigned probe; /* index */
	const char *name;
};
enum kern_kprobes { KERN_KPROBES_NONE, KERN_KPROBES_FEW, KERN_KPROBES_MANY };
enum kern_kprobes kern_has_kprobes(void);
/* Attaches one program to all of them. Arguments are by the ABI, six of them; at the return, arg1 is the value.
 * Functions that the kernel does not know are left out and noted; it fails only if all are. */
bool kern_attach_kprobes(struct engine *e, const struct kern_kprobe *k, unsigned n, bool at_return, struct why *why);

/* ---- uprobe.c ---- */
/* Adds a line to what is not traced. */
void kern_note(struct kernel_engine *e, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* A place in a file's code. */
struct kern_uprobe {
	unsigned probe; /* index */
	int fd;         /* of the file, open as long as the call lasts */
	uint64_t off;   /* in the file */
	uint64_t ref;   /* offset in the file of the semaphore that the kernel increments; 0 if none */
	int64_t pid;    /* 0 for every process */
	uint32_t loc;   /* KP_USDT: number of the place */
};
/* Attaches one program to all of them; place is KP_UENTRY … KP_USDT. Those of one file and process should follow
 * each other. Places where the kernel cannot put a probe are left out and noted, if there are several. */
bool kern_attach_uprobes(
    struct engine *e, enum kern_place place, const struct kern_uprobe *u, unsigned n, struct why *why);

/* The places of USDT probes. */
struct kern_usdt {
	const struct kern_uprobe *uprobes; /* one for each place */
	const struct rt_loc *locs;         /* by their numbers */
	unsigned n;
	const unsigned *probes; /* all that may fire there */
	unsigned nprobes;
	const struct rt_locpid *keys; /* which probe (index plus one) it is, if that depends on the process */
	const uint32_t *values;
	unsigned nkeys;
};
/* Called once per engine. */
bool kern_attach_usdt(struct engine *e, const struct kern_usdt *u, struct why *why);
/* Returns whether a clause of the probe reads argument n. If it reads one by a number that is not constant, it reads
 * any. */
bool kern_reads_arg(const struct engine *e, unsigned probe, unsigned n);

/* What the runtime calls a probe's role. */
static inline enum rt_kind
kern_kind(enum eng_role role)
{
	return role == ROLE_BEGIN ? RT_BEGIN : role == ROLE_END ? RT_END : role == ROLE_ERROR ? RT_ERROR : RT_OTHER;
}

static inline uint32_t
kern_up8(uint32_t n)
{
	return (n + 7) & ~7u;
}

#endif
