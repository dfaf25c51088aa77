#!/usr/bin/env -S erltrace -qs
/*
 * Whose message queue is long, and whose grows? Every second the ten longest queues, by process, with how much they
 * have grown since the second before.
 *
 * Cost: about 3 us for each process of the node in each second, but at most a twentieth of a scheduler: with very many
 * processes a round takes longer.
 *
 *     erltrace -N NODE mailboxes [SECONDS]
 *
 * @needs node
 * @arg SECONDS number optional: how long; without it until Ctrl-C
 */
#pragma D option defaultargs
#pragma D option aggsortrev
#pragma D option switchrate=100ms
#pragma D option aggrate=100ms

erlang*:::mailbox-1s
{
	@length[copyinstr(arg0)] = max(arg1);
}

/* Those that shrink have not grown. */
erlang*:::mailbox-1s
/arg2 > 0/
{
	@grown[copyinstr(arg0)] = sum(arg2);
}

tick-1s
{
	trunc(@length, 10);
	printf("%Y on %s\n    %-60s %10s\n", walltimestamp, node, "THE LONGEST", "MESSAGES");
	printa("    %-60s %@10d\n", @length);
	trunc(@grown, 10);
	printf("    %-60s %10s\n", "GREW MOST", "BY");
	printa("    %-60s %@10d\n", @grown);
	trunc(@length);
	trunc(@grown);
}

tick-1s
/$1 && ++seconds >= $1/
{
	exit(0);
}
