#!/usr/bin/env -S erltrace -qs
/*
 * Who sends messages to whom, how many, and how large are they (in words)?
 *
 * Cost: about 0.3 us for each message, sending and queueing together. That is much for a node that does little else.
 *
 *     erltrace -N NODE messages [SECONDS]
 *
 * @needs node
 * @arg SECONDS number optional: how long; without it until Ctrl-C
 */
#pragma D option defaultargs

erlang*:::message-send
{
	@sent[copyinstr(arg0), copyinstr(arg1)] = count();
	@words["sent"] = quantize(arg2);
}

erlang*:::message-send-remote
{
	@remote[copyinstr(arg0), copyinstr(arg1), copyinstr(arg2)] = count();
	@words["sent to another node"] = quantize(arg3);
}

erlang*:::message-queued
{
	@queued[copyinstr(arg0)] = count();
}

tick-1s
/$1 && ++seconds >= $1/
{
	exit(0);
}

END
{
	trunc(@sent, 20);
	trunc(@remote, 20);
	trunc(@queued, 20);
	printf("Sent: from, to\n");
	printa("    %-24s %-40s %@10u\n", @sent);
	printf("Sent to another node: from, node, to\n");
	printa("    %-24s %-30s %-24s %@10u\n", @remote);
	printf("Queued\n");
	printa("    %-40s %@10u\n", @queued);
	printf("Size in words\n");
	printa("    %s%@d\n", @words);
	trunc(@sent);
	trunc(@remote);
	trunc(@queued);
	trunc(@words);
}
