/* Prints the BPF programs, maps and links of the kernel, one a line: "map 12"; nothing if this is not permitted. */
#include <linux/bpf.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static void
list(int cmd, const char *what)
{
	unsigned id = 0;
	for (;;) {
		union bpf_attr a;
		memset(&a, 0, sizeof a);
		a.start_id = id;
		if (syscall(SYS_bpf, cmd, &a, sizeof a) != 0)
			return;
		id = a.next_id;
		printf("%s %u\n", what, id);
	}
}

int
main(void)
{
	list(BPF_PROG_GET_NEXT_ID, "program");
	list(BPF_MAP_GET_NEXT_ID, "map");
	list(BPF_LINK_GET_NEXT_ID, "link");
	return 0;
}
