#!/usr/bin/env -S erltrace -qs
/*
 * How long do processes run when they run, how often are they scheduled, and where do they stop to wait? Costs more
 * than 5 %.
 *
 * Cost: about 0.2 us each time that a process runs. On RabbitMQ it was 10 % of what a message needs. With -x sample=8
 * it looks at one process of eight.
 *
 *     erltrace -N NODE process-scheduling [SECONDS]
 *
 * @needs node
 * @arg SECONDS number optional: how long; without it until Ctrl-C
 */
#pragma D option defaultargs

erlang*:::process-scheduled
{
	self->in = timestamp;
	@often[copyinstr(arg1)] = count();
}

erlang*:::process-unscheduled
/self->in/
{
	@slice["a slice, us"] = quantize((timestamp - self->in) / 1000);
	@time[copyinstr(arg0)] = sum((timestamp - self->in) / 1000);
	self->in = 0;
}

erlang*:::process-hibernate
{
	@hibernated[copyinstr(arg1)] = count();
}

tick-1s
/$1 && ++seconds >= $1/
{
	exit(0);
}

END
{
	trunc(@often, 20);
	trunc(@time, 20);
	trunc(@hibernated, 20);
	printf("Scheduled, by the function it goes on with\n");
	printa("    %-50s %@10u\n", @often);
	printf("Ran, in us\n");
	printa("    %-50s %@10d\n", @time);
	printf("Hibernated\n");
	printa("    %-50s %@10u\n", @hibernated);
	printa("%s%@d\n", @slice);
	trunc(@often);
	trunc(@time);
	trunc(@hibernated);
	trunc(@slice);
}
