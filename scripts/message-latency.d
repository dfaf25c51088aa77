#!/usr/bin/env -S erltrace -qs
/*
 * How long does it take from sending a message to a process until it runs? A histogram in ns. Costs more than 5 %.
 *
 * Cost: about 0.1 us for each message and 0.2 us each time that a process runs. That is more than 5 % of a node that
 * mostly passes messages on: a fifth of what RabbitMQ needs. With -x sample=16 it was not to be seen: then one process
 * of 16 is traced, and messages from one of these to another count, one of 256. That is for nodes with many processes.
 *
 *     erltrace -N NODE message-latency [SECONDS]
 *     erltrace -N NODE -x sample=16 message-latency [SECONDS]
 *
 * @needs node
 * @arg SECONDS number optional: how long; without it until Ctrl-C
 */
#pragma D option defaultargs

BEGIN
/!$1/
{
	printf("Ctrl-C prints the histogram\n");
}

/* Not to a name, nor to the alias of a caller, which servers answer to: neither is ever scheduled. */
erlang*:::message-send
/index(copyinstr(arg1), "<") == 0/
{
	sent[copyinstr(arg1)] = timestamp;
}

erlang*:::process-scheduled
{
	this->sent = sent[copyinstr(arg0)];
}

erlang*:::process-scheduled
/this->sent/
{
	@["message sent to receiver scheduled, ns"] = quantize(timestamp - this->sent);
	sent[copyinstr(arg0)] = 0;
}

erlang*:::process-exit
{
	sent[copyinstr(arg0)] = 0;
}

tick-1s
/$1 && ++seconds >= $1/
{
	exit(0);
}
