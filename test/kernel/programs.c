/* How many BPF programs there are in this kernel. */
#include <linux/bpf.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

int
main(void)
{
	union bpf_attr a;
	unsigned id = 0, n = 0;
	for (;; n++) {
		memset(&a, 0, sizeof a);
		a.start_id = id;
		if (syscall(SYS_bpf, BPF_PROG_GET_NEXT_ID, &a, sizeof a) != 0)
			break;
		id = a.next_id;
	}
	printf("%u\n", n);
	return 0;
}
