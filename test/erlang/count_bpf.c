/* Prints how many BPF programs, maps and links the kernel has; 0 if this is not permitted. */
#include <linux/bpf.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static unsigned
count(int cmd)
{
	unsigned n = 0, id = 0;
	for (;; n++) {
		union bpf_attr a;
		memset(&a, 0, sizeof a);
		a.start_id = id;
		if (syscall(SYS_bpf, cmd, &a, sizeof a) != 0)
			return n;
		id = a.next_id;
	}
}

int
main(void)
{
	printf("%u programs, %u maps, %u links\n", count(BPF_PROG_GET_NEXT_ID), count(BPF_MAP_GET_NEXT_ID),
	    count(BPF_LINK_GET_NEXT_ID));
	return 0;
}
