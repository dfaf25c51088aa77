#!/usr/bin/env -S erltrace -qs
/*
 * Which Erlang processes make which system calls, and how long do these take? Costs more than 5 % of a busy node. The
 * longest in sum are last; "-" is what the VM does for no process. FUNCTION is the one with which the process was
 * scheduled in: of files mostly the NIF.
 *
 * Cost: some 0.5 us for each system call on the machine, and 0.1 us each time that a process of the node begins or
 * ceases to run. Needs root.
 *
 *     erltrace -N NODE process-syscalls [SECONDS]
 *
 * @needs node
 * @arg SECONDS number optional: how long; without it until Ctrl-C
 */
#pragma D option defaultargs

syscall:::entry
/pid == $target/
{
	began[tid] = timestamp;
}

syscall:::return
/began[tid]/
{
	@calls[eproc == "" ? "-" : eproc, probefunc, emfa] = count();
	@time[eproc == "" ? "-" : eproc, probefunc, emfa] = sum((timestamp - began[tid]) / 1000);
	began[tid] = 0;
}

tick-1s
/$1 && ++seconds >= $1/
{
	exit(0);
}

END
{
	printf("%-44s %-18s %-34s %12s %10s\n", "PROCESS", "CALL", "FUNCTION", "TIME, us", "CALLS");
	printa("%-44s %-18s %-34s %@12d %@10u\n", @time, @calls);
	trunc(@time);
	trunc(@calls);
}
