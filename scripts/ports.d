#!/usr/bin/env -S erltrace -qs
/*
 * Which ports are opened, told something and closed, and by whom? Costs more than 5 %. One line for each event.
 *
 * Cost: about 0.2 us for each message to a port or a process, and a line of output for each event. On RabbitMQ it was
 * 24 % of what a message needs.
 *
 *     erltrace -N NODE ports
 *
 * @needs node
 */
erlang*:::port-open
{
	printf("open process %s name %s port %s\n", copyinstr(arg0), copyinstr(arg1), copyinstr(arg2));
}

erlang*:::port-command
{
	printf("command process %s port %s name %s type %s\n", copyinstr(arg0), copyinstr(arg1), copyinstr(arg2),
	    copyinstr(arg3));
}

erlang*:::port-control
{
	printf("control process %s port %s name %s command %d\n", copyinstr(arg0), copyinstr(arg1), copyinstr(arg2),
	    (int)arg3);
}

erlang*:::port-connect
{
	printf("connect process %s port %s name %s to %s\n", copyinstr(arg0), copyinstr(arg1), copyinstr(arg2),
	    copyinstr(arg3));
}

erlang*:::port-exit
{
	printf("exit process %s port %s name %s reason %s\n", copyinstr(arg0), copyinstr(arg1), copyinstr(arg2),
	    copyinstr(arg3));
}

erlang*:::port-busy
{
	printf("busy port %s\n", copyinstr(arg0));
}
