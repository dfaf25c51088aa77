#!/usr/bin/env -S erltrace -qs
/*
 * Which ETS tables are read, how often, and how often without finding anything? Costs more than 5 %. The table is the
 * first argument of ets:lookup/2, and the returned value is what it found.
 *
 * Cost: 1 to 2 us for each ets:lookup/2. That is much for a node that does little else. On RabbitMQ it was 83 % of what
 * a message needs. With -x sample=8 it looks at one process of eight.
 *
 *     erltrace -N NODE ets-lookups [SECONDS]
 *
 * @needs node
 * @arg SECONDS number optional: how long; without it until Ctrl-C
 */
#pragma D option defaultargs

erlang*:ets:lookup/2:entry
{
	self->table = args[0];
}

erlang*:ets:lookup/2:return
/self->table != ""/
{
	@lookups[self->table] = count();
	@misses[self->table] = sum(args[0] == "[]");
	self->table = 0;
}

tick-1s
/$1 && ++seconds >= $1/
{
	exit(0);
}

END
{
	printf("%-40s %10s %10s\n", "TABLE", "LOOKUPS", "MISSES");
	printa("%-40.40s %@10u %@10u\n", @lookups, @misses);
	trunc(@lookups);
	trunc(@misses);
}
