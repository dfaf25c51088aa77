/*
 * What the lowered programs, the BPF runtime (rt.bpf.c) and this process share: the state of a firing, the control
 * block, records, and how the runtime's code asks for maps and constants that are known only when it is loaded.
 *
 * It is included by BPF code and by ordinary C, so it has only fixed-size types.
 */
#ifndef ET_ENGINE_KERNEL_RT_RT_H
#define ET_ENGINE_KERNEL_RT_RT_H

#include "object/node_event.h"

#include <stdint.h>

/*
 * A firing takes one of its CPU's states. Clauses may be interrupted by an interrupt's clauses and, if the probe can be
 * preempted, by another thread's. If all states are taken, the firing is lost and counted.
 */
enum { RT_LEVELS = 4 };

/*
 * The memory of a state, by offset. All areas except the record's hold strings of up to RT_MAXSTR bytes.
 *
 * The runtime is built twice: for strings of up to 4 KiB, and with everything RT_BIG times as large for scripts with
 * longer strings or larger records. The rest of the engine knows the numbers of the first build, and multiplies
 * (RT_IN).
 */
enum { RT_BIG = 16 };
#ifndef RT_SCALE
#define RT_SCALE 1
#endif
#define RT_KB(n) (((n) << 10) * RT_SCALE)
#define RT_IN(e, place) ((uint32_t)(place) * (e)->scale)
enum {
	RT_MAXSTR = RT_KB(4),
	RT_MAXREC = RT_KB(64),
	RT_REC = 0, /* struct rt_rec, then the data */
	RT_SCRATCH = RT_KB(72),
	RT_SCRATCH_MAX = RT_KB(16),
	RT_LOCAL = RT_KB(88),  /* clause-locals: by reference first, then scalars */
	RT_ELOCAL = RT_KB(96), /* those of an ERROR firing inside this one */
	RT_LOCAL_MAX = RT_KB(8),
	RT_BI = RT_KB(104), /* bytes of built-ins */
	RT_TMP0 = RT_KB(108),
	RT_TMP1 = RT_KB(112),
	RT_VAL = RT_KB(116), /* a value on its way to a map */
	RT_KEY = RT_KB(120), /* a tuple on its way to a map */
	RT_KEY_MAX = RT_KB(8),
	RT_MEM = RT_KB(128), /* a power of two: offsets are masked */
	RT_SLACK = RT_KB(8), /* what an access at the last offset may reach */
};

enum { RT_NARGS = 10 };

struct rt {
	/* Whether a firing has taken it, and how many have: this process waits for them when it swaps aggregations. */
	uint64_t busy, gen;
	uint64_t self, cbase, gbase;    /* addresses, as numbers: of this, of the constants, of the globals */
	uint64_t index;                 /* its number */
	uint64_t res, illval, ptr, len; /* results of the runtime's functions */
	uint64_t klen;                  /* bytes of the tuple that is being made */
	uint64_t str_at, str_len; /* the string that was last made in scratch, if it is unchanged: its address, or 0 */
	uint64_t regs[8], slots[64];
	uint64_t args[RT_NARGS], nargs;
	uint64_t saved[RT_NARGS + 1]; /* while ERROR's clauses run */
	uint64_t probe, saved_probe;  /* index of struct rt_probe */
	uint64_t kind, saved_kind;    /* enum rt_kind */
	uint64_t epid;                /* of the clause's first group */
	uint64_t lbase;               /* RT_LOCAL or RT_ELOCAL */
	uint64_t scratch;             /* bytes used */
	uint64_t spec, norec, recopen;
	uint64_t cut;           /* a record was made after which a cut is due */
	uint64_t file, file_fd; /* the fds[] element that the clause asked for last: offset in scratch plus one, or 0;
				 * its number */
	uint64_t fired;         /* by this process */
	uint64_t ts, task;      /* 0 if not asked for yet */
	uint64_t thread, pid, tid; /* thread is 0 if not asked for yet */
	uint64_t owner; /* of self->: the Erlang process that runs, or the thread; 0 if not asked for yet … */
	struct node_thread node; /* … and that process, if the word of it is not 0 */
	uint64_t err;            /* errno */
	uint64_t fault, fault_pc, fault_action, fault_epid;
	uint64_t locking; /* in a CPU's first state: the code that records waits for locks is running there */
	uint64_t chill_from, chilled; /* ns: start of the current second, time spent in it */
	uint64_t work[16];            /* for a subroutine with many numbers: in memory they cost the verifier nothing */
	char mem[RT_MEM + RT_SLACK];
};

enum rt_kind { RT_OTHER, RT_BEGIN, RT_END, RT_ERROR };
enum { RT_NAMELEN = 128 }; /* of each name, with its NUL */

/* A probe, in the map of probes. */
struct rt_probe {
	uint32_t id, kind;
	uint32_t names; /* offset in the constants of four names of RT_NAMELEN bytes each */
	uint32_t pad;
};

enum rt_state { RT_SETUP, RT_RUNNING, RT_EXITING, RT_STOPPED };
/* What a record takes of bufsize in addition to its data, as on the user engine. */
enum { RT_REC_COST = 24 };

/* Sets of aggregations. There are two: one is emptied while values are added to the other. With cuts (ENG_CUT_OF)
 * each cut begins a new set, so there are more, until this process comes to empty them. Powers of two. */
enum { RT_SETS = 2, RT_SETS_CUTS = 4, RT_CUT_SHIFT = 40 };

enum { RT_NDROPS = 16, RT_MAXSPEC = 16000, RT_MAXCPU = 1024 };

/* One for all, mapped into this process. */
struct rt_ctl {
	uint64_t state; /* enum rt_state */
	uint64_t exited, status;
	/* For the sets of aggregations: how many were used before the current one, with the number of cuts from bit
	 * RT_CUT_SHIFT on; and how many of those sets are empty again. */
	uint64_t active, emptied;
	uint64_t filled, lost_nested;
	uint64_t errors;
	uint64_t drops[RT_NDROPS]; /* enum eng_drop */
	/* Bytes of records of each shard: ever written, and ever taken out. The difference is below bufsize. */
	uint64_t written[RT_MAXCPU], taken[RT_MAXCPU];
	uint64_t nspec;
	uint64_t spec_used[RT_MAXSPEC]; /* bytes of its records */
	uint32_t spec[RT_MAXSPEC];      /* of id - 1: odd while it is active; half of it is its generation */
};
/* A speculation in a record: its number and generation, so that a late record is not taken for another's. */
#define RT_SPEC_TAG(id, gen) ((id) | (gen) << 16)

/* One set of an aggregation with keys: where it is in the maps of all of them. */
struct rt_agg {
	uint32_t index, mask; /* first element in the index; how many there are (a power of two), minus one */
	uint32_t lines, per;  /* first line of the slots; lines of a slot */
	uint32_t entries;     /* slots */
	uint32_t pad;
};
/* Tuples are kept in lines: the first of a slot begins with the length in bytes. */
struct rt_line {
	uint64_t w[8];
};

/* A record in the ring buffer. */
enum rt_rectype { RT_RT_DATA, RT_RT_FAULT, RT_RT_COMMIT, RT_RT_DISCARD };
struct rt_rec {
	uint32_t type, epid;
	uint64_t time;
	uint32_t cpu, spec; /* speculation that it belongs to, or 0 */
	int32_t fault;
	uint32_t fault_action, fault_pc;
	uint16_t shard; /* whose buffer it uses: that of the CPU, or 0 if this process fired the probe */
	uint16_t cut;
	uint64_t fault_value;
};

/* Where an argument of a USDT probe is, as its note says. */
enum rt_argkind { RT_ARG_NONE, RT_ARG_CONST, RT_ARG_REG, RT_ARG_MEM };
enum { RT_NOREG = 0xff };
struct rt_arg {
	uint8_t kind, size; /* bytes: 1, 2, 4, 8 */
	uint8_t is_signed;
	uint8_t shift;       /* bits of the register that are below it: %ah */
	uint8_t base, index; /* words of struct pt_regs; RT_NOREG */
	uint8_t scale;       /* as a shift */
	uint8_t pad;
	int64_t disp; /* or the constant */
};
/* A place of a USDT probe. */
struct rt_loc {
	uint32_t probe; /* index plus one; 0 if it depends on the process */
	uint32_t nargs;
	struct rt_arg args[RT_NARGS];
};
/* Which probe it is in a process (index plus one); pid 0 means in all others. */
struct rt_locpid {
	uint32_t loc, pid;
};

/* Parts of a packet: what rt_packet() is asked for. On the way in its data begins with the header of IP. */
enum rt_packet {
	RT_PKT_NONE,
	RT_PKT_SOCK,
	RT_PKT_DEV,
	RT_PKT_IP,
	RT_PKT_IP4,
	RT_PKT_IP6,
	RT_PKT_NEXT,
	RT_PKT_RECEIVED = 256
};

/*
 * Waits for locks, as lockstat's probes show them. A wait is kept by thread and lock, from contention_begin to
 * contention_end.
 */
enum rt_waitkind { RT_WAIT_ADAPTIVE_BLOCK = 1, RT_WAIT_ADAPTIVE_SPIN, RT_WAIT_SPIN, RT_WAIT_RW_BLOCK, RT_WAIT_RW_SPIN };
struct rt_waitkey {
	uint64_t thread, lock;
};
struct rt_waiting {
	uint64_t since, slept;    /* ns; slept: when it first went to sleep, or 0 */
	uint64_t flags;           /* LCB_F_… */
	uint64_t writer, readers; /* who held it */
};
enum { RT_WAIT_ARGS = 5 };
struct rt_wait {
	uint64_t args[RT_WAIT_ARGS];
};

/* Who runs on a CPU, since when, and how long it had run before: vtimestamp is computed from it. */
struct rt_vcpu {
	uint64_t thread, since, used; /* ns */
};

/* An Erlang VM: where it keeps code, which part of that changes from one process to the next, and the return address
 * below the first frame of a process. */
enum { RT_VM_SPANS = 4, RT_VMS = 256 };
struct rt_span {
	uint64_t start, size;
};
/* Code of a file: where it is mapped, what to subtract from an address to get the file's, and which rows of RT_M_ROWS
 * say how to get to callers. */
enum { RT_VM_FILES = 32, RT_ROWS = 1 << 18 };
struct rt_code {
	struct rt_span span;
	uint64_t base;
	uint32_t first, n;
};
/* struct unwind_row of sym/unwind.h */
enum { RT_ROW_UNKNOWN, RT_ROW_SP, RT_ROW_FP, RT_ROW_END, RT_ROW_PLT };
enum { RT_ROW_LOST = 0x7fff, RT_ROW_BASE_BITS = 3 };
struct rt_row {
	uint32_t pc;
	int32_t cfa;
	int16_t ra, fp, process, stack;
};
struct rt_vm {
	uint64_t normal_exit;
	struct rt_span scheduling;
	struct rt_span spans[RT_VM_SPANS];
	uint64_t nfiles;
	struct rt_code files[RT_VM_FILES];
};

/* What memory a request is about, as bits: the result of rt_request(). */
enum rt_request { RT_REQ_FILE = 1, RT_REQ_SWAP = 2, RT_REQ_PROCESS = 4, RT_REQ_OTHER = 8 };

/* What the runtime asks for: 64-bit immediates with these upper halves are replaced when it is linked. */
enum { RT_ASK_MAP = 0x45540001, RT_ASK_VALUE = 0x45540002, RT_ASK_CONST = 0x45540003 };
/* Maps. */
enum {
	RT_M_STATES,
	RT_M_CTL,
	RT_M_CONSTS,
	RT_M_GLOBALS,
	RT_M_RING,
	RT_M_PROBES,
	RT_M_TOK,
	RT_M_LOCS,
	RT_M_LOCPIDS,
	RT_M_AGGS,
	RT_M_INDEX, /* hash and slot; before them, for each table, how many slots are used */
	RT_M_LINES,
	RT_M_WAITS,
	RT_M_VTIMES, /* thread to how long it has run, ns; of those that run now, in VCPUS */
	RT_M_VCPUS,
	RT_M_REQUEUED, /* requests that a device has given back and not done yet */
	RT_M_VMS,      /* process to struct rt_vm */
	RT_M_ROWS,     /* struct rt_row, of all files */
	RT_M_SEEN,     /* struct node_thread, rows of NODE_THREAD_SIZE: threads of a node */
	RT_M_FIRED,    /* a byte for each probe: not 0 once it has fired */
	RT_NMAPS
};
/* The constants begin with this many zeroes: what is copied from to clear memory. */
enum { RT_ZEROES = RT_MAXSTR };
/* Constants. */
enum {
	RT_C_STRSIZE,
	RT_C_SCRATCHSIZE,
	RT_C_LSIZE,
	RT_C_GSIZE,
	RT_C_STRS,  /* offset of the object's strings in the constants */
	RT_C_NSTRS, /* their bytes */
	RT_C_WALL,  /* ns from monotonic to wall time */
	RT_C_DESTRUCTIVE,
	RT_C_TASK_PARENT, /* offsets in struct task_struct; ~0 if unknown */
	RT_C_TASK_TGID,
	RT_C_TASK_VTIME,
	RT_C_TASK_LEADER,
	RT_C_TASK_COMM,
	RT_C_FILL, /* bufpolicy fill */
	RT_C_BUFSIZE,
	RT_C_RESERVE, /* bytes of END's records, when half of bufsize holds them */
	RT_C_TASK_PID,
	RT_C_TASK_START,
	RT_C_TASK_MM,
	RT_C_MM_ARG_START,
	RT_C_MM_ARG_END,
	RT_C_TASK_SIGNAL,
	RT_C_SIGNAL_THREADS,
	RT_C_SPECSIZE,
	RT_C_TASK_EXIT_CODE,
	RT_C_SKB_HEAD, /* offsets in struct sk_buff */
	RT_C_SKB_DATA,
	RT_C_SKB_NET,
	RT_C_SKB_PROTO,
	RT_C_SKB_DEV,
	RT_C_SKB_SOCK,
	RT_C_TASK_FS,
	RT_C_TASK_FILES,
	RT_C_FS_PWD,
	RT_C_FS_ROOT,
	RT_C_PATH_MNT,
	RT_C_PATH_DENTRY,
	RT_C_VFSMOUNT_ROOT,
	RT_C_MOUNT_MNT,
	RT_C_MOUNT_PARENT,
	RT_C_MOUNT_POINT,
	RT_C_DENTRY_PARENT,
	RT_C_DENTRY_NAME,
	RT_C_DENTRY_LEN,
	RT_C_DENTRY_SB,
	RT_C_DENTRY_INODE,
	RT_C_INODE_INO,
	RT_C_SB_MAGIC,
	RT_C_SB_TYPE,
	RT_C_FSTYPE_NAME,
	RT_C_FILES_FDT,
	RT_C_FDT_MAX,
	RT_C_FDT_FD,
	RT_C_FILE_PATH,
	RT_C_FILE_POS,
	RT_C_FILE_FLAGS,
	RT_C_REQ_BIO, /* what a request moves */
	RT_C_REQ_LEN,
	RT_C_REQ_FLAGS,
	RT_C_BIO_VEC,
	RT_C_BIO_INDEX,
	RT_C_PAGE_HEAD,
	RT_C_PAGE_MAPPING,
	RT_C_MAPPING_HOST,
	RT_C_INODE_MODE,
	RT_C_PAGE_SWAPCACHE, /* numbers of bits */
	RT_C_REQ_SWAP,
	RT_C_TASK_PIDS, /* from the number of a thread to the thread */
	RT_C_TASK_THREAD_PID,
	RT_C_PID_LEVEL,
	RT_C_PID_NUMBERS,
	RT_C_PID_TASKS,
	RT_C_NS_TREE,
	RT_C_NODE_SLOTS,
	RT_C_TASK_PRIO,
	RT_C_TASK_NORMAL_PRIO,
	RT_C_TASK_STATE,
	RT_C_TASK_FLAGS,
	RT_C_SIGNAL_PIDS,
	RT_C_SB_ROOT, /* from a file system to where it is mounted */
	RT_C_SB_MOUNTS,
	RT_C_MOUNT_NEXT, /* of what the list of mounts points at: the next one, and where in struct mount that is */
	RT_C_MOUNT_LINK,
	RT_C_MOUNT_NS,
	RT_C_TASK_NSPROXY,
	RT_C_NSPROXY_MNT,
	RT_C_MUTEX_OWNER, /* offsets in struct mutex, struct rw_semaphore and struct qrwlock */
	RT_C_RWSEM_COUNT,
	RT_C_RWLOCK_CNTS,
	RT_C_MM_START_STACK, /* of what a process is */
	RT_C_SIGNAL_TTY,
	RT_C_TTY_DRIVER,
	RT_C_TTY_INDEX,
	RT_C_DRIVER_MAJOR,
	RT_C_DRIVER_MINOR,
	RT_C_TASK_INFO_FLAGS,
	RT_C_TASK_POLICY,
	RT_C_TASK_NCPUS,
	RT_C_THREAD_TRAP, /* registers that are not on the stack; in the order of uregs[] */
	RT_C_THREAD_ERROR,
	RT_C_THREAD_FS,
	RT_C_THREAD_GS,
	RT_C_THREAD_ES,
	RT_C_THREAD_DS,
	RT_C_THREAD_POINTER,
	RT_C_THREAD_GSBASE,
	RT_C_NODE_PID, /* a traced Erlang node: its process, or 0; addresses in it: struct node_thread, its name */
	RT_C_NODE_THREADS_AT,
	RT_C_NODE_SEEN, /* whether there is RT_M_SEEN */
	RT_C_NODE_NAME_AT,
	RT_NCONSTS
};

#endif
