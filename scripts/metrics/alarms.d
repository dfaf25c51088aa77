/*
 * What operators fear, as alerts: message queues that grow, long collections, processes that keep a scheduler busy, connections to other nodes
 * that are too slow, storms of new processes, leaks of atoms, processes, ports and ETS tables, and limits of the node that come near.
 *
 * Cost: some 0.3 us for each process of the node and second, at most 1 % of a scheduler, and some 0.3 us for each process that is born.
 * With more than 30,000 processes queues are looked at less often than every ten seconds; with more than 180,000 alerts about them are over
 * before the next look, and come again: a longer alert-resolve helps.
 *
 * $1: messages in a growing queue (10000); $2: ms of a collection or of a process that runs without a break (200); $3: processes that are born in
 * a second (20000); $4: by how many atoms, processes, ports or ETS tables a leak grows in a second, net (10), $5: for how many seconds (300); $6: percent of what the node can have of them (80).
 *
 * @metric @used erlang_limit_used_ratio by what in percent: Atoms, processes and ports, as a part of what the node can have.
 */
#pragma D option defaultargs

alert rate(@growth) >= ($4 ? $4 : 10) for ($5 ? $5 : 300) s over ($5 ? $5 : 300) s
    "[warning leak] %s grow by %@d a second, all the time";
alert max(@used) >= ($6 ? $6 : 80) until ($6 ? $6 - 5 : 75) "[critical limit] %s: %@d %% of what the node can have are used";

erlang*:::mailbox-10s
/arg1 >= ($1 ? $1 : 10000) && arg2 > 0/
{
	alert("[warning mailbox %s] the queue of %s has %d messages and grows", copyinstr(arg0), copyinstr(arg0), arg1);
}

erlang*:::system-long_gc
/arg1 >= ($2 ? $2 : 200)/
{
	alert("[warning long collection] a collection of %s took %d ms", copyinstr(arg0), arg1);
}

erlang*:::system-long_schedule
/arg1 >= ($2 ? $2 : 200)/
{
	alert("[warning long schedule] %s ran for %d ms without a break", copyinstr(arg0), arg1);
}

erlang*:::dist-port_busy
{
	alert("[warning busy %s] the connection to %s is too slow: %s has to wait", copyinstr(arg2), copyinstr(arg2),
	    copyinstr(arg3));
}

erlang*:::process-spawn
{
	born++;
}

tick-1s
/born >= ($3 ? $3 : 20000)/
{
	alert("[warning spawns] %d processes were born in a second", born);
}

tick-1s
{
	born = 0;
}

erlang*:::limits-1s
{
	@growth[copyinstr(arg0)] = sum(arg3);
}

erlang*:::limits-1s
/arg2 > 0/
{
	@used[copyinstr(arg0)] = max(arg1 * 100 / arg2);
}

tick-15s
{
	clear(@used);
}
