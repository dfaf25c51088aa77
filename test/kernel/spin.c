/* spin SECONDS: runs in top() → middle() → inner(), with frame pointers; says "ready" first. */
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static volatile long sum;

__attribute__((noinline)) void
inner(long until)
{
	struct timespec now;
	do {
		for (int i = 0; i < 100000; i++)
			sum += i;
		clock_gettime(CLOCK_MONOTONIC, &now);
	} while (now.tv_sec < until);
}

__attribute__((noinline)) void
middle(long until)
{
	inner(until);
	sum++;
}

__attribute__((noinline)) void
top(long until)
{
	middle(until);
	sum++;
}

int
main(int argc, char **argv)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	if (write(1, "ready\n", 6) < 0)
		return 1;
	top(now.tv_sec + (argc > 1 ? atol(argv[1]) : 1));
	return 0;
}
