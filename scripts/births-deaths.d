#!/usr/bin/env -S erltrace -qs
/*
 * How many processes are born and end in each second, and in all?
 *
 * Cost: about 0.6 us for each process that is born and ends.
 *
 *     erltrace -N NODE births-deaths [SECONDS]
 *
 * @needs node
 * @arg SECONDS number optional: how long; without it until Ctrl-C
 */
#pragma D option defaultargs

erlang*:::process-spawn
{
	@["spawns"] = count();
	@all["spawns"] = count();
}

erlang*:::process-exit
{
	@["exits"] = count();
	@all["exits"] = count();
}

tick-1s
{
	printf("%Y\n", walltimestamp);
	printa("    %-8s %@8u\n", @);
	clear(@);
}

tick-1s
/$1 && ++seconds >= $1/
{
	exit(0);
}

END
{
	trunc(@);
	printf("In all\n");
	printa("    %-8s %@8u\n", @all);
	trunc(@all);
}
