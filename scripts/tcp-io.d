#!/usr/bin/env -S erltrace -qs
/*
 * Which peers does the node talk to over TCP, how many bytes, and how long do sending and waiting for data take? Costs
 * more than 5 %. By peer and by process. Data comes as messages (active mode) or is waited for with gen_tcp:recv
 * (passive mode). Sockets of gen_tcp's backend `socket` and the connections between nodes are not seen.
 *
 * Cost: about 3 us for each send and receive, and 0.3 us for each message in the node: see `drivers` for less. On
 * RabbitMQ it was 20 % of what a message needs.
 *
 *     erltrace -N NODE tcp-io [SECONDS]
 *
 * @needs node
 * @arg SECONDS number optional: how long; without it until Ctrl-C
 */
#pragma D option defaultargs

self string socket;

/* Also what is given to the port without gen_tcp:send, as RabbitMQ does. */
erlang*:::driver-output
/copyinstr(arg2) == "tcp_inet"/
{
	@calls[name(arg1), "sent"] = count();
	@bytes[name(arg1), "sent"] = sum((int)arg3);
	@by[name(arg0), "sent"] = sum((int)arg3);
}

erlang*:prim_inet:send/[34]:entry
/copyinstr(arg1) == "prim_inet:send/3"/
{
	self->start = timestamp;
}

/* From OTP 26 on gen_tcp:send gives the port a reference before the data, which is not sent. */
erlang*:prim_inet:send/[34]:entry
/copyinstr(arg1) == "prim_inet:send/4"/
{
	this->reference = iolist_size(hd(args[1]));
	@bytes[name(args[0]), "sent"] = sum(-this->reference);
	@by[name(eproc), "sent"] = sum(-this->reference);
}

erlang*:prim_inet:send/3:return
/self->start && args[0] == "ok"/
{
	@time["send"] = quantize((timestamp - self->start) / 1000);
}

erlang*:prim_inet:recv0/3:entry
{
	self->socket = args[0];
	self->start = timestamp;
}

erlang*:prim_inet:recv0/3:return
/self->start && is_tuple(args[0]) && element(1, args[0]) == "ok"/
{
	this->bytes = iolist_size(element(2, args[0]));
	@calls[name(self->socket), "received"] = count();
	@bytes[name(self->socket), "received"] = sum(this->bytes);
	@by[name(eproc), "received"] = sum(this->bytes);
	@time["recv"] = quantize((timestamp - self->start) / 1000);
}

erlang*:prim_inet:send/3:return,
erlang*:prim_inet:recv0/3:return
/self->start/
{
	self->socket = 0;
	self->start = 0;
}

erlang*:::message-queued
/is_tuple(args[6]) && tuple_size(args[6]) == 3 && element(1, args[6]) == "tcp" && is_port(element(2, args[6]))/
{
	this->bytes = iolist_size(element(3, args[6]));
	@calls[name(element(2, args[6])), "received"] = count();
	@bytes[name(element(2, args[6])), "received"] = sum(this->bytes);
	@by[name(arg0), "received"] = sum(this->bytes);
}

tick-1s
/$1 && ++seconds >= $1/
{
	exit(0);
}

END
{
	printf("%-48s %-10s %10s %14s\n", "PEER", "", "TIMES", "BYTES");
	printa("%-48s %-10s %@10u %@14d\n", @calls, @bytes);
	printf("\n%-48s %-10s %25s\n", "PROCESS", "", "BYTES");
	printa("%-48s %-10s %@25d\n", @by);
	printa("%s, us%@d\n", @time);
	trunc(@calls);
	trunc(@bytes);
	trunc(@by);
	trunc(@time);
}
