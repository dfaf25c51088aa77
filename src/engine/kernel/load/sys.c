/* bpf(2), as the engine needs it. */
#include "engine/kernel/kern.h"
#include "engine/kernel/kernel.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static int
bpf(int cmd, union bpf_attr *a)
{
	return (int)syscall(SYS_bpf, cmd, a, sizeof *a);
}

static uint64_t
ptr(const void *p)
{
	return (uint64_t)(uintptr_t)p;
}

int
sys_map_create(const struct map_def *d)
{
	union bpf_attr a;
	memset(&a, 0, sizeof a);
	a.map_type = d->type;
	a.key_size = d->key;
	a.value_size = d->value;
	a.max_entries = d->entries;
	a.map_flags = d->flags;
	strncpy(a.map_name, d->name, sizeof a.map_name - 1);
	return bpf(BPF_MAP_CREATE, &a);
}

static int
map_op(int cmd, int fd, const void *key, const void *value, uint64_t flags)
{
	union bpf_attr a;
	memset(&a, 0, sizeof a);
	a.map_fd = (uint32_t)fd;
	a.key = ptr(key);
	a.value = ptr(value);
	a.flags = flags;
	return bpf(cmd, &a);
}

int
sys_map_update(int fd, const void *key, const void *value, uint64_t flags)
{
	return map_op(BPF_MAP_UPDATE_ELEM, fd, key, value, flags);
}

int
sys_map_delete(int fd, const void *key)
{
	return map_op(BPF_MAP_DELETE_ELEM, fd, key, NULL, 0);
}

int
sys_map_freeze(int fd)
{
	union bpf_attr a;
	memset(&a, 0, sizeof a);
	a.map_fd = (uint32_t)fd;
	return bpf(BPF_MAP_FREEZE, &a);
}

int
sys_btf_load(const void *btf, uint32_t len)
{
	union bpf_attr a;
	memset(&a, 0, sizeof a);
	a.btf = ptr(btf);
	a.btf_size = len;
	return bpf(BPF_BTF_LOAD, &a);
}

int
sys_prog_load(uint32_t type, uint64_t attach, const struct bpf_insn *insns, uint32_t n, int btf,
    const struct bpf_func_info *fi, uint32_t nfi, char *log, uint32_t loglen)
{
	union bpf_attr a;
	memset(&a, 0, sizeof a);
	a.prog_type = type;
	a.expected_attach_type = (uint32_t)attach;
	a.attach_btf_id = (uint32_t)(attach >> 32);
	a.insns = ptr(insns);
	a.insn_cnt = n;
	a.license = ptr("GPL");
	a.prog_btf_fd = (uint32_t)btf;
	a.func_info = ptr(fi);
	a.func_info_cnt = nfi;
	a.func_info_rec_size = sizeof *fi;
	strncpy(a.prog_name, "erltrace", sizeof a.prog_name - 1);
	if (log) {
		a.log_buf = ptr(log);
		a.log_size = loglen;
		a.log_level = 1;
	}
	return bpf(BPF_PROG_LOAD, &a);
}

int
sys_raw_tp_open(int prog, const char *name)
{
	union bpf_attr a;
	memset(&a, 0, sizeof a);
	a.raw_tracepoint.name = ptr(name);
	a.raw_tracepoint.prog_fd = (uint32_t)prog;
	return bpf(BPF_RAW_TRACEPOINT_OPEN, &a);
}

static bool
prog_info(int prog, struct bpf_prog_info *info)
{
	union bpf_attr a;
	memset(&a, 0, sizeof a);
	memset(info, 0, sizeof *info);
	a.info.bpf_fd = (uint32_t)prog;
	a.info.info_len = sizeof *info;
	a.info.info = ptr(info);
	return bpf(BPF_OBJ_GET_INFO_BY_FD, &a) == 0;
}

uint64_t
sys_prog_missed(int prog)
{
	struct bpf_prog_info info;
	return prog_info(prog, &info) ? info.recursion_misses : 0;
}

uint64_t
sys_prog_spent(int prog)
{
	struct bpf_prog_info info;
	return prog_info(prog, &info) ? info.run_time_ns : 0;
}

int
sys_enable_stats(void)
{
	union bpf_attr a;
	memset(&a, 0, sizeof a);
	a.enable_stats.type = BPF_STATS_RUN_TIME;
	return bpf(BPF_ENABLE_STATS, &a);
}

int
sys_test_run(int prog, const uint64_t *ctx, uint32_t len)
{
	union bpf_attr a;
	memset(&a, 0, sizeof a);
	a.test.prog_fd = (uint32_t)prog;
	a.test.ctx_in = ptr(ctx);
	a.test.ctx_size_in = len;
	return bpf(BPF_PROG_TEST_RUN, &a);
}

int
sys_link_perf(int prog, int event, uint64_t cookie)
{
	union bpf_attr a;
	memset(&a, 0, sizeof a);
	a.link_create.prog_fd = (uint32_t)prog;
	a.link_create.target_fd = (uint32_t)event;
	a.link_create.attach_type = BPF_PERF_EVENT;
	a.link_create.perf_event.bpf_cookie = cookie;
	return bpf(BPF_LINK_CREATE, &a);
}

/* As linux/bpf.h has it from 6.6 on; the build machine's may be older. */
struct uprobe_multi_attr {
	uint32_t prog_fd, target_fd, attach_type, flags;
	uint64_t path, offsets, ref_ctr_offsets, cookies;
	uint32_t cnt, multi_flags, pid, pad;
};

int
sys_link_uprobes(int prog, const char *path, const uint64_t *offsets, const uint64_t *refs, const uint64_t *cookies,
    uint32_t n, bool at_return, int64_t pid)
{
	struct uprobe_multi_attr a = {.prog_fd = (uint32_t)prog,
	    .attach_type = SYS_UPROBE_MULTI,
	    .path = ptr(path),
	    .offsets = ptr(offsets),
	    .ref_ctr_offsets = ptr(refs),
	    .cookies = ptr(cookies),
	    .cnt = n,
	    .multi_flags = at_return,
	    .pid = (uint32_t)pid};
	return (int)syscall(SYS_bpf, BPF_LINK_CREATE, &a, sizeof a);
}

int
sys_link_kprobes(int prog, const char *const *names, const uint64_t *cookies, uint32_t n, bool at_return)
{
	union bpf_attr a;
	memset(&a, 0, sizeof a);
	a.link_create.prog_fd = (uint32_t)prog;
	a.link_create.attach_type = BPF_TRACE_KPROBE_MULTI;
	a.link_create.kprobe_multi.flags = at_return ? BPF_F_KPROBE_MULTI_RETURN : 0;
	a.link_create.kprobe_multi.cnt = n;
	a.link_create.kprobe_multi.syms = ptr(names);
	a.link_create.kprobe_multi.cookies = ptr(cookies);
	return bpf(BPF_LINK_CREATE, &a);
}

/* Returns the capabilities that this process has in effect, as bits; 0 if they cannot be read. */
static uint64_t
capabilities(void)
{
	char line[256];
	uint64_t bits = 0;
	FILE *f = fopen("/proc/self/status", "re");
	while (f && fgets(line, sizeof line, f))
		if (strncmp(line, "CapEff:", 7) == 0)
			bits = strtoull(line + 7, NULL, 16);
	if (f)
		fclose(f);
	return bits;
}

bool
kern_is_permitted(struct why *why)
{
	enum { SYS_ADMIN = 21, PERFMON = 38, BPF = 39 };
	uint64_t has = capabilities();
	bool all = has >> SYS_ADMIN & 1, perfmon = all || has >> PERFMON & 1, bpf_ = all || has >> BPF & 1;
	if (perfmon && bpf_)
		return true;
	why_set(why,
	    "tracing the kernel needs CAP_BPF and CAP_PERFMON, and this process lacks %s: run erltrace as root, or "
	    "give it both (setcap cap_bpf,cap_perfmon+ep)",
	    !perfmon && !bpf_ ? "both"
	    : perfmon         ? "CAP_BPF"
			      : "CAP_PERFMON");
	return false;
}

void
sys_not_permitted(struct why *why)
{
	if (kern_is_permitted(why))
		why_set(why,
		    "tracing the kernel is not permitted, although this process has CAP_BPF and CAP_PERFMON: a container's "
		    "seccomp filter, a security module or a locked-down kernel forbids it");
}

const char *
sys_perf_error(int err, char *buf, size_t len)
{
	FILE *f = err == EACCES ? fopen("/proc/sys/kernel/perf_event_paranoid", "re") : NULL;
	int level = 0;
	if (f && fscanf(f, "%d", &level) != 1)
		level = 0;
	if (f)
		fclose(f);
	if (level <= 2)
		return strerror(err);
	/* Kernels of Debian and others have this level, for which CAP_PERFMON is not enough. */
	snprintf(buf, len,
	    "this kernel reserves perf events to CAP_SYS_ADMIN (kernel.perf_event_paranoid is %d): run erltrace as root, or "
	    "sysctl kernel.perf_event_paranoid=2",
	    level);
	return buf;
}
