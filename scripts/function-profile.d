#!/usr/bin/env -S erltrace -qs
/*
 * Where does the time go? Costs more than 5 %: the node becomes many times slower. For every function that is called: how
 * often, and how many microseconds its process was running between entry and return, including the functions that it
 * called. This traces all functions of the node: for seconds, not for days.
 *
 * Cost: about 0.6 us for each call of any function. With -x sample=8 it looks at one process of eight.
 *
 *     erltrace -N NODE function-profile -x maxoverhead=100 [SECONDS]
 *
 * @needs node
 * @arg SECONDS number optional: how long; without it until Ctrl-C
 */
#pragma D option defaultargs

erlang*:::global-function-entry,
erlang*:::local-function-entry
{
	self->at[arg2] = vtimestamp;
}

erlang*:::function-return
/self->at[arg2]/
{
	@time[copyinstr(arg1)] = sum((vtimestamp - self->at[arg2]) / 1000);
	@calls[copyinstr(arg1)] = count();
	self->at[arg2] = 0;
}

tick-1s
/$1 && ++seconds >= $1/
{
	exit(0);
}

END
{
	trunc(@calls, 20);
	trunc(@time, 20);
	printf("%-60s %12s\n", "FUNCTION", "CALLS");
	printa("%-60s %@12u\n", @calls);
	printf("\n%-60s %12s\n", "FUNCTION", "us");
	printa("%-60s %@12d\n", @time);
	trunc(@calls);
	trunc(@time);
}
