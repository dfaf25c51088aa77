/* pageout PID: makes the kernel write all of the process's own memory to swap, and prints how many MiB are there
 * then. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#ifndef MADV_PAGEOUT
#define MADV_PAGEOUT 21
#endif

int
main(int argc, char **argv)
{
	char path[64], line[512];
	unsigned long from, to, kb = 0;
	int pid = argc > 1 ? atoi(argv[1]) : 0, fd = (int)syscall(SYS_pidfd_open, pid, 0);
	snprintf(path, sizeof path, "/proc/%d/maps", pid);
	FILE *f = fopen(path, "re");
	if (fd < 0 || !f)
		return 1;
	while (fgets(line, sizeof line, f))
		if (sscanf(line, "%lx-%lx", &from, &to) == 2 && !strstr(line, "[v")) {
			struct iovec v = {.iov_base = (void *)from, .iov_len = to - from};
			syscall(SYS_process_madvise, fd, &v, 1, MADV_PAGEOUT, 0); /* what cannot go stays */
		}
	fclose(f);
	snprintf(path, sizeof path, "/proc/%d/status", pid);
	if (!(f = fopen(path, "re")))
		return 1;
	while (fgets(line, sizeof line, f))
		sscanf(line, "VmSwap: %lu", &kb);
	fclose(f);
	printf("%lu\n", kb >> 10);
	return 0;
}
