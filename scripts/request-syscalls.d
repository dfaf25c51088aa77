#!/usr/bin/env -S erltrace -qs
/*
 * Which system calls do requests to the node's servers cause, and in which server on their way? Costs more than 5 % of
 * a busy node. Requests are told apart by name: the atom, or the first element of the tuple, with which the first
 * server was called. A call that a server makes while it works for a request belongs to it, through any number of
 * servers, and so do the system calls of all of them. What a server leaves to ports, or to processes that it does not
 * call as servers, is not seen.
 *
 * Cost: some 8 us for each call to a server, 0.3 us for each system call on the machine, 0.2 us for each other message,
 * and 0.1 us each time that a process of the node begins or ceases to run. Needs root.
 *
 *     erltrace -N NODE request-syscalls [SECONDS [REQUEST]]
 *
 * @needs node
 * @arg SECONDS number optional: how long; 0 or without it until Ctrl-C
 * @arg REQUEST string optional: only requests of this name, also those that are part of others
 */
#pragma D option defaultargs
#pragma D option strsize=128
#pragma D option dynvarsize=8m

self string request;	/* for which this process works: the name of the first on its way */
self string ref;	/* that it has asked for */
string request_of[string];

/* A process that works for no request begins one. */
erlang*:::request-send
/self->request == NULL/
{
	this->name = strtok(copyinstr(arg3), "{,}");
	this->is_first = 1;
}

erlang*:::request-send
/this->is_first && ($$2 == "" || this->name == $$2)/
{
	@requests[this->name] = count();
	self->ref = copyinstr(arg2);
	request_of[self->ref] = this->name;
}

erlang*:::request-send
/self->request != NULL/
{
	self->ref = copyinstr(arg2);
	request_of[self->ref] = self->request;
}

erlang*:::request-start
{
	self->request = request_of[copyinstr(arg2)];
}

erlang*:::request-stop
{
	self->request = 0;
}

erlang*:::request-reply
{
	request_of[copyinstr(arg2)] = 0;
}

erlang*:gen:call/4:exception
/self->ref != NULL/
{
	request_of[self->ref] = 0;
	self->ref = 0;
}

syscall:::entry
/pid == $target && self->request != NULL/
{
	self->began = timestamp;
}

syscall:::return
/pid == $target && self->began/
{
	@calls[self->request, eproc, probefunc] = count();
	@time[self->request, eproc, probefunc] = sum((timestamp - self->began) / 1000);
	self->began = 0;
}

tick-1s
/$1 && ++seconds >= $1/
{
	exit(0);
}

END
{
	printf("%-24s %10s\n", "REQUEST", "REQUESTS");
	printa("%-24s %@10u\n", @requests);
	printf("\n%-24s %-40s %-18s %12s %10s\n", "REQUEST", "SERVER", "CALL", "TIME, us", "CALLS");
	printa("%-24s %-40s %-18s %@12d %@10u\n", @time, @calls);
	trunc(@requests);
	trunc(@time);
	trunc(@calls);
}
