#!/usr/bin/env -S erltrace -qs
/*
 * Which nodes come and go, and which connections to other nodes are so busy that a process has to wait? One line for
 * each event.
 *
 * Cost: next to nothing: these events are rare.
 *
 *     erltrace -N NODE dist
 *
 * @needs node
 */
erlang*:::dist-monitor
{
	printf("monitor: %s %s node %s type %s reason %s\n", copyinstr(arg0), copyinstr(arg1), copyinstr(arg2),
	    copyinstr(arg3), copyinstr(arg4));
}

erlang*:::dist-port_busy
{
	printf("port busy: %s port %s to %s, waits: %s\n", copyinstr(arg0), copyinstr(arg1), copyinstr(arg2),
	    copyinstr(arg3));
}
