#!/usr/bin/env -S erltrace -qs
/*
 * How long do system calls take, and how much of that is CPU time and not waiting? By call, in microseconds, for all
 * programs or for the one that is named by -p or -c.
 *
 * Cost: about 0.8 us for each system call. That is much for a program that does little else.
 *
 *     erltrace syscall-time [SECONDS]
 *     erltrace syscall-time -c COMMAND
 *
 * @needs kernel
 * @arg SECONDS number optional: how long; without it until Ctrl-C
 */
#pragma D option defaultargs

syscall:::entry
/$target == 0 || pid == $target/
{
	self->wall = timestamp;
	self->cpu = vtimestamp;
}

syscall:::return
/self->wall/
{
	@calls[probefunc] = count();
	@wall[probefunc] = sum((timestamp - self->wall) / 1000);
	@cpu[probefunc] = sum((vtimestamp - self->cpu) / 1000);
	self->wall = 0;
	self->cpu = 0;
}

tick-1s
/$1 && ++seconds >= $1/
{
	exit(0);
}

END
{
	printf("%-24s %10s %14s %14s\n", "CALL", "CALLS", "ELAPSED us", "ON CPU us");
	printa("%-24s %@10u %@14u %@14u\n", @calls, @wall, @cpu);
	trunc(@calls);
	trunc(@wall);
	trunc(@cpu);
}
