#!/usr/bin/env -S erltrace -qs
/*
 * How long do callers wait for the node's servers? Costs 5 to 20 % of a busy broker. The time of each call to a
 * gen_server, gen_statem or GenServer, by server, in us: a histogram that is printed every second, and at the end. $$2
 * is printed before it, for terminals that want to be cleared.
 *
 * Cost: about 0.6 us for each call to a server; everything else runs at full speed. (RabbitMQ: 4 % when the machine had
 * nothing else to do, 21 % when it was overloaded.)
 *
 *     erltrace -N NODE server-latency [SECONDS [CLEAR]]
 *
 * @needs node
 * @arg SECONDS number optional: how long; without it until Ctrl-C
 * @arg CLEAR string optional: printed before each histogram, to clear a terminal
 */
#pragma D option defaultargs
#pragma D option aggsortkey
#pragma D option switchrate=50ms

/* What gen_server, gen_statem, Elixir's GenServer and their kin all call, with the server first. */
erlang*:gen:call/4:entry
{
	self->server = text(args[0]);
	self->asked = timestamp;
}

erlang*:gen:call/4:return
/self->asked/
{
	@wait[self->server] = quantize((timestamp - self->asked) / 1000);
	@worst[self->server] = max((timestamp - self->asked) / 1000);
	@mean[self->server] = avg((timestamp - self->asked) / 1000);
	@calls[self->server] = count();
	self->asked = 0;
	self->server = 0;
}

tick-1s
{
	printf("%s%Y on %s\n", $$2, walltimestamp, node);
	printf("    %-40s %10s %10s %10s\n", "SERVER", "CALLS", "MEAN us", "WORST us");
	printa("    %-40s %@10u %@10u %@10u\n", @calls, @mean, @worst);
	printa("\n    %s%@d", @wait);
}

tick-1s
/$1 && ++seconds >= $1/
{
	exit(0);
}
