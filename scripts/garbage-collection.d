#!/usr/bin/env -S erltrace -qs
/*
 * How long does garbage collection hold processes up, how often, and what does it give back? Costs more than 5 %.
 *
 * Cost: two events for each collection, and the VM makes a list of sizes for each of them. That was 17 % of what
 * RabbitMQ needs for a message; where processes collect seldom it is little. With -x sample=8, which looks at one
 * process of eight, it was 2 %.
 *
 *     erltrace -N NODE garbage-collection [SECONDS]
 *     erltrace -N NODE -x sample=8 garbage-collection [SECONDS]
 *
 * @needs node
 * @arg SECONDS number optional: how long; without it until Ctrl-C
 */
#pragma D option defaultargs

erlang*:::gc_major-start,
erlang*:::gc_minor-start
{
	self->t = timestamp;
}

erlang*:::gc_major-end
/self->t/
{
	@time["major"] = quantize((timestamp - self->t) / 1000);
	@number["major"] = count();
	@words["major"] = sum((int)arg1);
	@longest[copyinstr(arg0)] = max((timestamp - self->t) / 1000);
	self->t = 0;
}

erlang*:::gc_minor-end
/self->t/
{
	@time["minor"] = quantize((timestamp - self->t) / 1000);
	@number["minor"] = count();
	@words["minor"] = sum((int)arg1);
	@longest[copyinstr(arg0)] = max((timestamp - self->t) / 1000);
	self->t = 0;
}

tick-1s
/$1 && ++seconds >= $1/
{
	exit(0);
}

END
{
	printf("%-12s %12s %20s\n", "COLLECTIONS", "NUMBER", "WORDS RECLAIMED");
	printa("%-12s %@12u %@20d\n", @number, @words);
	trunc(@longest, 10);
	printf("Longest, in us\n");
	printa("    %-40s %@10d\n", @longest);
	printf("Time, in us\n");
	printa("    %s%@d\n", @time);
	trunc(@number);
	trunc(@words);
	trunc(@longest);
	trunc(@time);
}
