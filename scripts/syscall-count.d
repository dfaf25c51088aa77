#!/usr/bin/env -S erltrace -qs
/*
 * Which system calls are made, by which programs, and how often do they fail?
 *
 * Cost: about 0.3 us for each system call. That is much for a program that does little else.
 *
 *     erltrace syscall-count [SECONDS]
 *     erltrace syscall-count -c COMMAND
 *
 * @needs kernel
 * @arg SECONDS number optional: how long; without it until Ctrl-C
 */
#pragma D option defaultargs

syscall:::return
{
	@calls[execname, probefunc] = count();
	@failed[execname, probefunc] = sum(errno != 0);
}

tick-1s
/$1 && ++seconds >= $1/
{
	exit(0);
}

END
{
	printf("%-20s %-24s %10s %10s\n", "PROGRAM", "CALL", "CALLS", "FAILED");
	printa("%-20s %-24s %@10u %@10u\n", @calls, @failed);
	trunc(@calls);
	trunc(@failed);
}
