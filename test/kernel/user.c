/*
 * Known work inside a process, for the pid provider: user calls N | threads N T | wait N | exec N | mallocs N
 * `wait` says "ready", waits for a line, then calls; `exec` calls, then becomes `user calls N`.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Nine arguments: six in registers, three on the stack. The result is their sum. */
__attribute__((noinline)) long
nine(long a, long b, long c, long d, long e, long f, long g, long h, long i)
{
	__asm__ volatile("" ::: "memory");
	return a + b + c + d + e + f + g + h + i;
}

__attribute__((noinline)) long
work(long i, const char *text)
{
	__asm__ volatile("" ::"r"(text) : "memory");
	return i * 2;
}

static void *
thread(void *arg)
{
	for (long i = 0; i < (long)arg; i++)
		work(i, "thread");
	return NULL;
}

int
main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	long n = argc > 2 ? atol(argv[2]) : 1, nthreads = argc > 3 ? atol(argv[3]) : 1;
	char line[16];
	if (strcmp(what, "wait") == 0) {
		if (write(1, "ready\n", 6) < 0 || read(0, line, sizeof line) < 0)
			return 1;
	}
	if (strcmp(what, "threads") == 0) {
		pthread_t t[64];
		for (long i = 0; i < nthreads && i < 64; i++)
			if (pthread_create(&t[i], NULL, thread, (void *)n) != 0)
				return 1;
		for (long i = 0; i < nthreads && i < 64; i++)
			pthread_join(t[i], NULL);
		return 0;
	}
	if (strcmp(what, "mallocs") == 0) {
		for (long i = 0; i < n; i++) {
			char *volatile p = malloc((size_t)(i + 1) * 7);
			free(p);
		}
		return 0;
	}
	for (long i = 0; i < n; i++)
		work(i, "hello");
	nine(1, 2, 3, 4, 5, 6, 7, 8, 9);
	if (strcmp(what, "exec") == 0)
		execl("/proc/self/exe", "user", "calls", argv[2], (char *)NULL);
	return 0;
}
