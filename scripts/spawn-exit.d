#!/usr/bin/env -S erltrace -qs
/*
 * Which processes are born, which end, and why? One line for each event.
 *
 * Cost: about 0.6 us for each process that is born and ends, and a line of output for each event.
 *
 *     erltrace -N NODE spawn-exit
 *
 * @needs node
 */
erlang*:::process-spawn
{
	printf("pid %s mfa %s\n", copyinstr(arg0), copyinstr(arg1));
}

erlang*:::process-exit
{
	printf("pid %s reason %s\n", copyinstr(arg0), copyinstr(arg1));
}

erlang*:::process-exit_signal
{
	printf("sender %s -> pid %s reason %s\n", copyinstr(arg0), copyinstr(arg1), copyinstr(arg2));
}
