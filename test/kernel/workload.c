/*
 * Known work for tests of the kernel's probes: workload calls N | six N | keys N | fails N | forks N | writes N BYTES |
 * threads N | spin MS | burn MS (of CPU time) | dies N | direct N BYTES FILE (reads its first bytes past the cache) |
 * file N BYTES FILE (writes to the disk) | pages N (touches as many) | sleeps N (20 ms each)
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void *
nothing(void *arg)
{
	return arg;
}

int
main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	long n = argc > 2 ? atol(argv[2]) : 1;
	static char bytes[1 << 20] __attribute__((aligned(4096)));
	/* Written by us, so that its page is there when a probe reads it. */
	char path[16];
	strcpy(path, "/dev/null");
	int null = open(path, O_WRONLY);
	for (long i = 0; i < n && strcmp(what, "spin") != 0 && strcmp(what, "burn") != 0; i++) {
		if (strcmp(what, "calls") == 0 || strcmp(what, "dies") == 0) {
			syscall(SYS_getppid);
		} else if (strcmp(what, "six") == 0) {
			syscall(SYS_futex, 111, 222, 333, 444, 555, 666);
		} else if (strcmp(what, "keys") == 0) {
			syscall(SYS_futex, 1, 99, i, 0, 0, 0);
		} else if (strcmp(what, "fails") == 0) {
			syscall(SYS_close, -1);
		} else if (strcmp(what, "writes") == 0) {
			if (write(null, bytes, (size_t)atol(argv[3])) < 0)
				return 1;
		} else if (strcmp(what, "sleeps") == 0) {
			struct timespec t = {.tv_nsec = 20000000};
			syscall(SYS_nanosleep, &t, NULL);
		} else if (strcmp(what, "pages") == 0) {
			volatile char *p = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
			if (p == MAP_FAILED)
				return 1;
			*p = 1;
		} else if (strcmp(what, "direct") == 0) {
			if (i == 0 && (null = open(argv[4], O_RDONLY | O_DIRECT)) < 0)
				return 67;
			if (pread(null, bytes, (size_t)atol(argv[3]), 0) != atol(argv[3]))
				return 1;
		} else if (strcmp(what, "file") == 0) {
			if (i == 0 && (null = open(argv[4], O_WRONLY | O_CREAT | O_TRUNC, 0600)) < 0)
				return 1;
			if (write(null, bytes, (size_t)atol(argv[3])) < 0 || (i == n - 1 && fsync(null) != 0))
				return 1;
		} else if (strcmp(what, "forks") == 0) {
			pid_t pid = fork();
			if (pid == 0)
				_exit(0);
			waitpid(pid, NULL, 0);
		} else if (strcmp(what, "threads") == 0) {
			pthread_t t;
			if (pthread_create(&t, NULL, nothing, NULL) == 0)
				pthread_join(t, NULL);
		}
	}
	if (strcmp(what, "dies") == 0)
		raise(SIGKILL);
	if (strcmp(what, "spin") == 0 || strcmp(what, "burn") == 0) {
		clockid_t clock = what[0] == 's' ? CLOCK_MONOTONIC : CLOCK_PROCESS_CPUTIME_ID;
		struct timespec from, now;
		clock_gettime(clock, &from);
		do
			clock_gettime(clock, &now);
		while ((now.tv_sec - from.tv_sec) * 1000 + (now.tv_nsec - from.tv_nsec) / 1000000 < n);
	}
	return 0;
}
