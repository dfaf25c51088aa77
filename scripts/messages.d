#!/usr/bin/env -S erltrace -qs
/*
 * Who sends messages to whom, how many, and how large are they (in words)? Costs more than 5 %.
 *
 * Cost: about 0.3 us for each message, sending and queueing together. That is much for a node that does little else.
 * On RabbitMQ it was 30 % of what a message needs. With -x sample=8 it looks at one process of eight.
 *
 *     erltrace -N NODE messages [SECONDS]
 *
 * @needs node
 * @arg SECONDS number optional: how long; without it until Ctrl-C
 */
#pragma D option defaultargs

/* Each call has an alias of its own, by which it is answered. */
inline string alias = "the alias of a caller";

erlang*:::message-send
{
	this->to = copyinstr(arg1);
	@sent[copyinstr(arg0), index(this->to, "#Ref<") == 0 ? alias : this->to] = count();
	@words["sent"] = quantize(arg2);
}

erlang*:::message-send-remote
{
	this->to = copyinstr(arg2);
	@remote[copyinstr(arg0), copyinstr(arg1), index(this->to, "#Ref<") == 0 ? alias : this->to] = count();
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
	printa("    %-44s %-44s %@10u\n", @sent);
	printf("Sent to another node: from, node, to\n");
	printa("    %-44s %-30s %-44s %@10u\n", @remote);
	printf("Queued\n");
	printa("    %-44s %@10u\n", @queued);
	printf("Size in words\n");
	printa("    %s%@d\n", @words);
	trunc(@sent);
	trunc(@remote);
	trunc(@queued);
	trunc(@words);
}
