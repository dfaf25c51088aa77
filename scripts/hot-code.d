#!/usr/bin/env -S erltrace -qs
/*
 * What do the schedulers run? Samples the processes that run, 97 times a second on each scheduler, for the given number
 * of seconds: the processes, the functions and the stacks seen most often.
 *
 * Cost: about 0.05 us each time that a process starts or stops running, and 97 samples a second on each scheduler.
 *
 *     erltrace -N NODE hot-code [SECONDS]
 *
 * @needs node
 * @arg SECONDS number optional: how long; 10 if left out
 */
#pragma D option defaultargs

BEGIN
{
	left = $1 ? $1 : 10;
	printf("Sampling for %d seconds.\n", left);
}

profile-97
{
	@processes[eproc] = count();
	@functions[copyinstr(arg1)] = count();
	@stacks[ustack()] = count();
}

tick-1s
/--left <= 0/
{
	exit(0);
}

END
{
	trunc(@processes, 10);
	trunc(@functions, 20);
	trunc(@stacks, 10);
	printf("\n%-40s %10s\n", "PROCESS", "SAMPLES");
	printa("%-40s %@10u\n", @processes);
	printf("\n%-40s %10s\n", "FUNCTION", "SAMPLES");
	printa("%-40s %@10u\n", @functions);
	printf("\nSTACKS\n");
	printa("%k%@10u\n", @stacks);
}
