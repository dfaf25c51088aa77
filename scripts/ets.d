#!/usr/bin/env -S erltrace -qs
/*
 * Which ETS tables are used, for what, and how long does it take? Costs more than 5 %. By table and function: calls,
 * the time of all in us, and of one in ns. Tables without a registered name are shown by the name that they were made
 * with.
 *
 * Cost: 1 to 2 us for each of these calls, about 0.5 us of which is in the times. A node that does little else is soon
 * over `maxoverhead`. With a table only its calls are counted. On RabbitMQ it was 24 % of what a message needs. With -x
 * sample=8 it looks at one process of eight.
 *
 *     erltrace -N NODE ets [SECONDS [TABLE]]
 *
 * @needs node
 * @arg SECONDS number optional: how long; 0 or without it until Ctrl-C
 * @arg TABLE string optional: only this named table
 */
#pragma D option defaultargs

erlang*:ets:lookup/2:entry,
erlang*:ets:lookup_element?*:entry,
erlang*:ets:member/2:entry,
erlang*:ets:insert/2:entry,
erlang*:ets:insert_new/2:entry,
erlang*:ets:update_element?*:entry,
erlang*:ets:update_counter?*:entry,
erlang*:ets:delete/1:entry,
erlang*:ets:delete/2:entry,
erlang*:ets:delete_object/2:entry,
erlang*:ets:take/2:entry,
erlang*:ets:select/2:entry,
erlang*:ets:select/3:entry,
erlang*:ets:select_count/2:entry,
erlang*:ets:select_delete/2:entry,
erlang*:ets:select_replace/2:entry,
erlang*:ets:match/2:entry,
erlang*:ets:match_object/2:entry
/$$2 == "" || args[0] == $$2/
{
	self->table = args[0];
	self->start = timestamp;
}

erlang*:ets:lookup/2:return,
erlang*:ets:lookup_element?*:return,
erlang*:ets:member/2:return,
erlang*:ets:insert/2:return,
erlang*:ets:insert_new/2:return,
erlang*:ets:update_element?*:return,
erlang*:ets:update_counter?*:return,
erlang*:ets:delete/1:return,
erlang*:ets:delete/2:return,
erlang*:ets:delete_object/2:return,
erlang*:ets:take/2:return,
erlang*:ets:select/2:return,
erlang*:ets:select/3:return,
erlang*:ets:select_count/2:return,
erlang*:ets:select_delete/2:return,
erlang*:ets:select_replace/2:return,
erlang*:ets:match/2:return,
erlang*:ets:match_object/2:return
/self->start/
{
	this->ns = timestamp - self->start;
	@time[name(self->table), probefunc] = sum(this->ns / 1000);
	@calls[name(self->table), probefunc] = count();
	@mean[name(self->table), probefunc] = avg(this->ns);
	@longest[name(self->table), probefunc] = max(this->ns);
	@all[probefunc] = quantize(this->ns);
	self->table = 0;
	self->start = 0;
}

tick-1s
/$1 && ++seconds >= $1/
{
	exit(0);
}

END
{
	printf("%-40s %-20s %10s %12s %10s %12s\n", "TABLE", "FUNCTION", "CALLS", "ALL us", "MEAN ns", "LONGEST ns");
	printa("%-40.40s %-20s %@10u %@12u %@10u %@12u\n", @calls, @time, @mean, @longest);
	printa("%s, ns%@d\n", @all);
	trunc(@time);
	trunc(@calls);
	trunc(@mean);
	trunc(@longest);
	trunc(@all);
}
