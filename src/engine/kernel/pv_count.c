/*
 * sysinfo and vminfo: things that a system counts. arg0 is by how much, 1 for most. DTrace's arg1 and arg2 (where the
 * kernel keeps the count) are 0: Linux keeps no such counts, or others.
 *
 * Of DTrace's probes those are here that a tracepoint or a system call is exactly.
 */
#include "engine/kernel/pv_named.h"

#include <sys/syscall.h>

static const char *const of_amount[] = {"uint64_t", NULL};

#define ONE .args = {{.what = KA_NUMBER, .n = 1}}
#define CALLED(name, nr) NAMED_CALL("sysinfo", name, of_amount, nr, KP_CALLED)
#define BYTES(name, nr) NAMED_CALL("sysinfo", name, of_amount, nr, KP_CALL_BYTES)
#define REQUEST(op) \
	.when = {{.what = KW_FIELD, \
	    .n = 0, \
	    .size = 4, \
	    .type = "request", \
	    .member = "cmd_flags", \
	    .mask = 0xff, \
	    .value = op}}
/* clang-format off */
static const struct named rows[] = {
    NAMED_TP("sysinfo", "pswitch", of_amount, "sched_switch", .nargs = 4, ONE),
    NAMED_TP("sysinfo", "inv_swtch", of_amount, "sched_switch", .nargs = 4, .when = {{.what = KW_SET, .n = 0}}, ONE),
    NAMED_TP("sysinfo", "nthreads", of_amount, "sched_process_fork", .nargs = 2, ONE),
    NAMED_TP("sysinfo", "bread", of_amount, "block_rq_issue", .nargs = 1, REQUEST(0), ONE),
    NAMED_TP("sysinfo", "bwrite", of_amount, "block_rq_issue", .nargs = 1, REQUEST(1), ONE),
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
    NAMED_TP("sysinfo", "sysfork", of_amount, "sched_process_fork", .nargs = 2, .when = {{.what = KW_LEADER, .n = 1}}, ONE),
    CALLED("msg", SYS_msgsnd), CALLED("msg", SYS_msgrcv),
    CALLED("sema", SYS_semop), CALLED("sema", SYS_semtimedop),
    NAMED_TP("vminfo", "as_fault", of_amount, "page_fault_user", .nargs = 3, ONE),
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
on_demand(struct probes *ps, const struct provider *pv, const struct pdesc *d, char *why, size_t whylen)
{
	(void)d;
	(void)why;
	(void)whylen;
	return named_on_demand(ps, pv, rows);
}

const struct provider provider_sysinfo = {.name = "sysinfo",
    .provide = provide,
    .on_demand = on_demand,
    .claims = claims_sysinfo,
    .attach = named_attach,
    .stability = "Evolving/Evolving/ISA"};
const struct provider provider_vminfo = {
    .name = "vminfo", .provide = provide, .attach = named_attach, .stability = "Evolving/Evolving/ISA"};
