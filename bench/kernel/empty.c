/*
 * The bare cost of a probe: a BPF program that does nothing, attached while a command runs.
 * empty syscall -- COMMAND … | empty uprobe FILE OFFSET -- COMMAND …
 */
#include <fcntl.h>
#include <linux/bpf.h>
#include <linux/perf_event.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static int
bpf(int cmd, union bpf_attr *a)
{
	return (int)syscall(SYS_bpf, cmd, a, sizeof *a);
}

static int
program(enum bpf_prog_type type)
{
	static const struct bpf_insn code[] = {{.code = BPF_ALU64 | BPF_MOV | BPF_K}, {.code = BPF_JMP | BPF_EXIT}};
	union bpf_attr a;
	memset(&a, 0, sizeof a);
	a.prog_type = type;
	a.insns = (uint64_t)(uintptr_t)code;
	a.insn_cnt = 2;
	a.license = (uint64_t)(uintptr_t) "GPL";
	return bpf(BPF_PROG_LOAD, &a);
}

static int
attach_syscall(void)
{
	union bpf_attr a;
	memset(&a, 0, sizeof a);
	a.raw_tracepoint.name = (uint64_t)(uintptr_t) "sys_enter";
	int prog = program(BPF_PROG_TYPE_RAW_TRACEPOINT);
	if (prog < 0)
		return -1;
	a.raw_tracepoint.prog_fd = (uint32_t)prog;
	return bpf(BPF_RAW_TRACEPOINT_OPEN, &a);
}

static int
attach_uprobe(const char *file, uint64_t offset)
{
	unsigned type = 0;
	FILE *f = fopen("/sys/bus/event_source/devices/uprobe/type", "r");
	if (!f || fscanf(f, "%u", &type) != 1)
		return -1;
	fclose(f);
	struct perf_event_attr p = {.type = type, .size = sizeof p};
	p.uprobe_path = (uint64_t)(uintptr_t)file;
	p.probe_offset = offset;
	int fd = (int)syscall(SYS_perf_event_open, &p, -1, 0, -1, PERF_FLAG_FD_CLOEXEC),
	    prog = program(BPF_PROG_TYPE_KPROBE);
	return fd >= 0 && prog >= 0 && ioctl(fd, PERF_EVENT_IOC_SET_BPF, prog) == 0 &&
		       ioctl(fd, PERF_EVENT_IOC_ENABLE, 0) == 0
		   ? fd
		   : -1;
}

int
main(int argc, char **argv)
{
	int i = 1;
	while (i < argc && strcmp(argv[i], "--") != 0)
		i++;
	if (i + 1 >= argc)
		return 2;
	int fd = i == 2 ? attach_syscall() : attach_uprobe(argv[2], strtoull(argv[3], NULL, 10));
	if (fd < 0) {
		perror("empty");
		return 1;
	}
	pid_t pid = fork();
	if (pid == 0) {
		execv(argv[i + 1], argv + i + 1);
		_exit(127);
	}
	int status = 1;
	waitpid(pid, &status, 0);
	return status;
}
