#!/usr/bin/env -S erltrace -qs
/*
 * What do the CPUs run? It takes 97 samples a second on each: by program, and the 10 busiest stacks of the process that
 * -p or -c names.
 *
 * Cost: about 3 us for each sample, a few ten-thousandths of each CPU.
 *
 *     erltrace cpu-sample [SECONDS]
 *     erltrace cpu-sample -p PID [SECONDS]
 *
 * @needs kernel
 * @arg SECONDS number optional: how long; without it until Ctrl-C
 */
#pragma D option defaultargs

profile-97
/pid != 0/
{
	@program[execname, arg1 ? "program" : "kernel"] = count();
}

profile-97
/pid != 0 && pid == $target && arg1/
{
	@stack[ustack(8)] = count();
}

tick-1s
/$1 && ++seconds >= $1/
{
	exit(0);
}

END
{
	printf("%-20s %-10s %10s\n", "PROGRAM", "IN", "SAMPLES");
	printa("%-20s %-10s %@10u\n", @program);
	trunc(@stack, 10);
	printa(@stack);
	trunc(@program);
	trunc(@stack);
}
