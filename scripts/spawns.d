#!/usr/bin/env -S erltrace -qs
/*
 * Which functions are new processes started with, how long do those live, and why do they end?
 *
 * Cost: about 0.6 us for each process that is born and ends.
 *
 *     erltrace -N NODE spawns [SECONDS]
 *
 * @needs node
 * @arg SECONDS number optional: how long; without it until Ctrl-C
 */
#pragma D option defaultargs

erlang*:::process-spawn
{
	self->mfa = copyinstr(arg1);
	self->born = timestamp;
	@started[self->mfa] = count();
}

erlang*:::process-exit
/self->born/
{
	@lived[self->mfa] = quantize((timestamp - self->born) / 1000);
	@ended[self->mfa, copyinstr(arg1)] = count();
	self->born = 0;
	self->mfa = 0;
}

tick-1s
/$1 && ++seconds >= $1/
{
	exit(0);
}

END
{
	printf("Processes started\n");
	printa("    %-50s %@10u\n", @started);
	printf("Ended: function, reason\n");
	printa("    %-30s %-30s %@10u\n", @ended);
	printf("Lived, in us\n");
	printa("    %s%@d\n", @lived);
	trunc(@started);
	trunc(@ended);
	trunc(@lived);
}
