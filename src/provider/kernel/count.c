/*
 * sysinfo and vminfo: things that a system counts. arg0 is by how much, mostly 1. DTrace's arg1 and arg2 (where the
 * kernel keeps the count) are 0, because Linux keeps no such counts, or others.
 *
 * Only those of DTrace's probes are here for which a tracepoint, a system call or a perf event is an exact match. The
 * memory of a request distinguishes paging (a file's cache, swap) from direct reads and writes of programs.
 */
#include "arch/arch.h"
#include "provider/kernel/named.h"

#include <linux/perf_event.h>
#include <sys/syscall.h>

static const char *const of_amount[] = {"uint64_t", NULL};

#define ONE .args = {{.what = KA_NUMBER, .n = 1}}
#define CALLED(name, nr) NAMED_CALL("sysinfo", name, of_amount, nr, KP_CALLED)
#define BYTES(name, nr) NAMED_CALL("sysinfo", name, of_amount, nr, KP_CALL_BYTES)
#define FLAGS(mask_, v) \
	{ \
		.what = KW_FIELD, .n = 0, .size = 4, .type = "request", .member = "cmd_flags", .mask = mask_, \
		.value = v \
	}
#define WHEN(w, m) \
	{ \
		.what = w, .n = m \
	}
#define BITS(m, mask_, v) \
	{ \
		.what = KW_BITS, .n = m, .mask = mask_, .value = v \
	}
#define MEMORY(kinds) \
	{ \
		.what = KW_MEMORY, .n = 0, .value = kinds \
	}
#define ARG(m) .args = {NAMED_RAW(m)}
#define PAGES .args = {{.what = KA_PAGES, .n = 0}}
enum { READS = 0, WRITES = 1, OP = 0xff, SYNC = 1 << 11 }; /* of a request's cmd_flags */
enum { VFORK = 0x4000, THREAD = 0x10000 };                 /* CLONE_… */
enum { LCB_SPIN = 1, LCB_READ = 2, LCB_WRITE = 4 };        /* of contention_begin */

#define SYS(name, ...) NAMED_TP("sysinfo", name, of_amount, __VA_ARGS__)
#define VM(name, ...) NAMED_TP("vminfo", name, of_amount, __VA_ARGS__)
#define ISSUE(...) "block_rq_issue", .nargs = 1, .when = {WHEN(KW_FIRST, 0), __VA_ARGS__}
#define SHRUNK(...) "mm_vmscan_lru_shrink_inactive", .nargs = 6, .when = {__VA_ARGS__}
/* clang-format off */
static const struct named rows[] = {
    SYS("pswitch", "sched_switch", .nargs = 4, ONE),
    /* As the kernel itself counts involuntary ones: preempted, or not going to sleep. */
    SYS("inv_swtch", "sched_switch", .nargs = 4, .when = {WHEN(KW_SET, 0), WHEN(KW_BUSY, 1)}, ONE),
    SYS("inv_swtch", "sched_switch", .nargs = 4, .when = {WHEN(KW_CLEAR, 0), WHEN(KW_CLEAR, 3), WHEN(KW_BUSY, 1)}, ONE),
    SYS("idlethread", "sched_switch", .nargs = 4, .when = {WHEN(KW_IDLE, 2)}, ONE),
    SYS("nthreads", "sched_process_fork", .nargs = 2, ONE),
    SYS("bread", ISSUE(FLAGS(OP, READS)), ONE),
    SYS("bwrite", ISSUE(FLAGS(OP, WRITES)), ONE),
    SYS("bawrite", ISSUE(FLAGS(OP | SYNC, WRITES)), ONE),
    SYS("phread", ISSUE(FLAGS(OP, READS), MEMORY(RT_REQ_PROCESS)), ONE),
    SYS("phwrite", ISSUE(FLAGS(OP, WRITES), MEMORY(RT_REQ_PROCESS)), ONE),
    SYS("rw_rdfails", "contention_begin", .nargs = 2, .alone = true, .when = {BITS(1, LCB_READ | LCB_SPIN, LCB_READ)}, ONE),
    SYS("rw_wrfails", "contention_begin", .nargs = 2, .alone = true, .when = {BITS(1, LCB_WRITE | LCB_SPIN, LCB_WRITE)}, ONE),
    NAMED_RARE("sysinfo", "xcalls", of_amount, "csd_queue_cpu", .nargs = 4, ONE),
    NAMED_RARE("sysinfo", "modload", of_amount, "module_load", .nargs = 1, ONE),
    NAMED_RARE("sysinfo", "modunload", of_amount, "module_free", .nargs = 1, ONE),
    CALLED("sysread", SYS_read), CALLED("sysread", SYS_pread64), CALLED("sysread", SYS_readv),
    CALLED("sysread", SYS_preadv), CALLED("sysread", SYS_preadv2),
    CALLED("syswrite", SYS_write), CALLED("syswrite", SYS_pwrite64), CALLED("syswrite", SYS_writev),
    CALLED("syswrite", SYS_pwritev), CALLED("syswrite", SYS_pwritev2),
    BYTES("readch", SYS_read), BYTES("readch", SYS_pread64), BYTES("readch", SYS_readv),
    BYTES("readch", SYS_preadv), BYTES("readch", SYS_preadv2),
    BYTES("writech", SYS_write), BYTES("writech", SYS_pwrite64), BYTES("writech", SYS_writev),
    BYTES("writech", SYS_pwritev), BYTES("writech", SYS_pwritev2),
    CALLED("sysexec", SYS_execve), CALLED("sysexec", SYS_execveat),
    SYS("sysfork", "task_newtask", .nargs = 2, .when = {BITS(1, VFORK | THREAD, 0)}, ONE),
    SYS("sysvfork", "task_newtask", .nargs = 2, .when = {BITS(1, VFORK | THREAD, VFORK)}, ONE),
    CALLED("msg", SYS_msgsnd), CALLED("msg", SYS_msgrcv),
    CALLED("sema", SYS_semop), CALLED("sema", SYS_semtimedop),
    /* Faults of the kernel on a process's memory count as the process's. */
#if ARCH_FAULT_POINTS
    VM("as_fault", "page_fault_user", .nargs = 3, ONE),
    VM("as_fault", "page_fault_kernel", .nargs = 3, .when = {WHEN(KW_USER, 0)}, ONE),
    VM("kernel_asflt", "page_fault_kernel", .nargs = 3, .when = {WHEN(KW_KERNEL, 0)}, ONE),
    VM("prot_fault", "page_fault_user", .nargs = 3, .when = {BITS(2, ARCH_FAULT_PROT, ARCH_FAULT_PROT)}, ONE),
    VM("prot_fault", "page_fault_kernel", .nargs = 3, .when = {WHEN(KW_USER, 0), BITS(2, ARCH_FAULT_PROT, ARCH_FAULT_PROT)}, ONE),
#else
    NAMED_EVENT("vminfo", "as_fault", of_amount, PERF_COUNT_SW_PAGE_FAULTS),
#endif
    NAMED_EVENT("vminfo", "maj_fault", of_amount, PERF_COUNT_SW_PAGE_FAULTS_MAJ),
    VM("pgin", ISSUE(FLAGS(OP, READS), MEMORY(RT_REQ_FILE | RT_REQ_SWAP)), ONE),
    VM("pgpgin", ISSUE(FLAGS(OP, READS), MEMORY(RT_REQ_FILE | RT_REQ_SWAP)), PAGES),
    VM("fspgin", ISSUE(FLAGS(OP, READS), MEMORY(RT_REQ_FILE)), PAGES),
    VM("anonpgin", ISSUE(FLAGS(OP, READS), MEMORY(RT_REQ_SWAP)), PAGES),
    VM("pgout", ISSUE(FLAGS(OP, WRITES), MEMORY(RT_REQ_FILE | RT_REQ_SWAP)), ONE),
    VM("pgpgout", ISSUE(FLAGS(OP, WRITES), MEMORY(RT_REQ_FILE | RT_REQ_SWAP)), PAGES),
    VM("fspgout", ISSUE(FLAGS(OP, WRITES), MEMORY(RT_REQ_FILE)), PAGES),
    VM("anonpgout", ISSUE(FLAGS(OP, WRITES), MEMORY(RT_REQ_SWAP)), PAGES),
    VM("pgrrun", "mm_vmscan_kswapd_wake", .nargs = 3, ONE),
    VM("scan", SHRUNK(WHEN(KW_SET, 1)), ARG(1)),
    VM("dfree", SHRUNK(WHEN(KW_SET, 2)), ARG(2)),
    VM("anonfree", SHRUNK(WHEN(KW_SET, 2), BITS(5, 1, 0)), ARG(2)),
    VM("fsfree", SHRUNK(WHEN(KW_SET, 2), BITS(5, 1, 1)), ARG(2)),
    {0},
};
/* clang-format on */

static bool
provide(struct probes *ps, const struct provider *pv)
{
	return named_provide(ps, pv, rows);
}

static bool
claims_sysinfo(struct probes *ps, const struct pdesc *d)
{
	(void)ps;
	return named_claims(d, "sysinfo");
}

static bool
on_demand(struct probes *ps, const struct provider *pv, const struct pdesc *d, struct why *why)
{
	return named_on_demand(ps, pv, rows, d, why);
}

static const struct pv_text argnames[] = {
    {"*", "amount"},
    {0},
};

/* Probes that DTrace documents and Linux tells nothing of, or not the same. */
#define NO_SUCH_COUNT "Linux has no tracepoint for it"
#define NO_UFS "it is about UFS, which Linux does not count"
#define NO_TERMINAL "Linux has no tracepoint for characters and interrupts of terminals"
#define NO_TICKS "Linux tells nobody of its clock ticks; profile-N samples every CPU"
#define NO_PROCESS_SWAP "Linux does not swap whole processes"
#define NO_EXEC_PAGES "Linux does not tell pages of programs from those of other files: see fspgin, fspgout and fsfree"
static const struct pv_text absent_of_sysinfo[] = {
    {"canch", NO_TERMINAL},
    {"mdmint", NO_TERMINAL},
    {"outch", NO_TERMINAL},
    {"rawch", NO_TERMINAL},
    {"rcvint", NO_TERMINAL},
    {"xmtint", NO_TERMINAL},
    {"cpu_ticks_idle", NO_TICKS},
    {"cpu_ticks_kernel", NO_TICKS},
    {"cpu_ticks_user", NO_TICKS},
    {"cpu_ticks_wait", NO_TICKS},
    {"wait_ticks_io", NO_TICKS},
    {"intrblk", "interrupts do not block in Linux"},
    {"intrthread", "interrupts are no threads in Linux; sdt:::irq_handler_entry has them"},
    {"lread", NO_SUCH_COUNT "; reads from devices are bread"},
    {"lwrite", NO_SUCH_COUNT "; writes to devices are bwrite"},
    {"mutex_adenters", NO_SUCH_COUNT "; lockstat:::adaptive-block and adaptive-spin tell of mutexes"},
    {"namei", NO_SUCH_COUNT "; syscall::: has the calls that take paths"},
    {"procovf", NO_SUCH_COUNT "; fork and clone fail with EAGAIN: syscall:::return and errno"},
    {"trap", NO_SUCH_COUNT "; faults of memory are vminfo:::as_fault"},
    {"ufsdirblk", NO_UFS},
    {"ufsiget", NO_UFS},
    {"ufsinopage", NO_UFS},
    {"ufsipage", NO_UFS},
    {0},
};
#define NO_FAULT_POINTS \
	"the kernel has no tracepoint of page faults on this processor; all faults of processes are as_fault"
static const struct pv_text absent_of_vminfo[] = {
#if !ARCH_FAULT_POINTS
    {"kernel_asflt", NO_FAULT_POINTS},
    {"prot_fault", NO_FAULT_POINTS},
#endif
    {"cow_fault", "Linux does not tell a copy from other writes that were not allowed: prot_fault has all of these"},
    {"execfree", NO_EXEC_PAGES},
    {"execpgin", NO_EXEC_PAGES},
    {"execpgout", NO_EXEC_PAGES},
    {"hat_fault", NO_SUCH_COUNT "; all faults of processes are as_fault"},
    {"pgfrec", "Linux takes no pages back from its free list: see as_fault, of which maj_fault are those with I/O"},
    {"pgrec", NO_SUCH_COUNT ": see as_fault, of which maj_fault are those with I/O"},
    {"pgswapin", NO_PROCESS_SWAP "; pages that come back are anonpgin"},
    {"pgswapout", NO_PROCESS_SWAP "; pages that go are anonpgout"},
    {"swapin", NO_PROCESS_SWAP "; pages that come back are anonpgin"},
    {"swapout", NO_PROCESS_SWAP "; pages that go are anonpgout"},
    {"rev", "Linux's page daemon has no clock hand: see scan"},
    {"softlock", NO_SUCH_COUNT},
    {"zfod", NO_SUCH_COUNT "; all faults of processes are as_fault"},
    {0},
};

const struct provider provider_sysinfo = {.name = "sysinfo",
    .provide = provide,
    .on_demand = on_demand,
    .claims = claims_sysinfo,
    .kernel = true,
    .start = named_start,
    .argnames = argnames,
    .absent = absent_of_sysinfo,
    .stability = "Evolving/Evolving/ISA"};
const struct provider provider_vminfo = {.name = "vminfo",
    .provide = provide,
    .kernel = true,
    .start = named_start,
    .argnames = argnames,
    .absent = absent_of_vminfo,
    .stability = "Evolving/Evolving/ISA"};
