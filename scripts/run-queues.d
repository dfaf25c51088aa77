#!/usr/bin/env -S erltrace -qs
/*
 * Do processes wait for a scheduler, and how long? Every second, for each scheduler: how many processes waited in its
 * run queue and how busy it was (ten samples a second), and how long a process that became runnable had to wait until
 * it ran. Dirty schedulers of one kind share a queue. At the end all waits as a distribution.
 *
 * Cost: about 1 ms in each second on two schedulers, and nothing for what the node does.
 *
 *     erltrace -N NODE run-queues [SECONDS]
 *
 * @needs node
 * @arg SECONDS number optional: how long; without it until Ctrl-C
 */
#pragma D option defaultargs
#pragma D option switchrate=100ms
#pragma D option aggrate=100ms

erlang*:::scheduler-100ms
{
	@mean[copyinstr(arg1), args[0]] = avg(args[2]);
	@most[copyinstr(arg1), args[0]] = max(args[2]);
}

erlang*:::scheduler-100ms
/args[3] >= 0/
{
	@busy[copyinstr(arg1), args[0]] = avg(args[3] / 10);
}

erlang*:::run_delay-100ms
{
	@wait["normal", args[0]] = avg(args[1] / 1000);
	@longest["normal", args[0]] = max(args[1] / 1000);
	@all["Waited until it ran, us"] = quantize(args[1] / 1000);
}

tick-1s
{
	printf("%Y on %s\n    %-10s %9s %10s %10s %10s\n", walltimestamp, node, "SCHEDULER", "", "QUEUE", "AT MOST",
	    "BUSY %");
	printa("    %-10s %9d %@10d %@10d %@10d\n", @mean, @most, @busy);
	printf("    %-10s %9s %10s %10s\n", "WAITED us", "", "MEAN", "AT MOST");
	printa("    %-10s %9d %@10d %@10d\n", @wait, @longest);
	trunc(@mean);
	trunc(@most);
	trunc(@busy);
	trunc(@wait);
	trunc(@longest);
}

tick-1s
/$1 && ++seconds >= $1/
{
	exit(0);
}

END
{
	printa("%s%@d\n", @all);
	trunc(@all);
}
