/*
 * confined PROGRAM [ARGUMENT…]: runs it as a container's runtime does, under a seccomp filter: what looks into other
 * processes, the kernel or namespaces is refused with EPERM. With $REFUSE_MEMFD set, memfd_create(2) is refused, too.
 * With $AS_USER set to a number, it is that user's and has no capabilities.
 */
#define _GNU_SOURCE /* setresuid() */

#include <errno.h>
#include <grp.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { MOST = 32 };

/* Capabilities end with root's identity; without the bounding set no program brings them back. */
static int
become(const char *user)
{
	gid_t id = (gid_t)atoi(user);
	for (unsigned long c = 0; prctl(PR_CAPBSET_READ, c, 0, 0, 0) >= 0; c++)
		if (prctl(PR_CAPBSET_DROP, c, 0, 0, 0) != 0)
			return -1;
	return setgroups(0, NULL) == 0 && setresgid(id, id, id) == 0 && setresuid(id, id, id) == 0 ? 0 : -1;
}

int
main(int argc, char **argv)
{
	static const unsigned refused[] = {SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev, SYS_perf_event_open,
	    SYS_bpf, SYS_userfaultfd, SYS_kcmp, SYS_mount, SYS_umount2, SYS_setns, SYS_unshare, SYS_keyctl, SYS_add_key,
	    SYS_mbind, SYS_move_pages, SYS_name_to_handle_at, SYS_open_by_handle_at};
	struct sock_filter code[2 * MOST];
	unsigned short n = 0;
	code[n++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
	for (unsigned i = 0; i <= sizeof refused / sizeof *refused; i++) {
		unsigned nr = i < sizeof refused / sizeof *refused ? refused[i] : SYS_memfd_create;
		if (nr == SYS_memfd_create && !getenv("REFUSE_MEMFD"))
			continue;
		code[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, nr, 0, 1);
		code[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM);
	}
	code[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	struct sock_fprog program = {.len = n, .filter = code};
	if (argc < 2 || (getenv("AS_USER") && become(getenv("AS_USER")) != 0) ||
	    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) {
		perror("confined");
		return 1;
	}
	execvp(argv[1], argv + 1);
	perror(argv[1]);
	return 1;
}
