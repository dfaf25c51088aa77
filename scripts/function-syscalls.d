#!/usr/bin/env -S erltrace -qs
/*
 * Which system calls do the functions of a module make? By the innermost function of the module that runs, also if the
 * process goes on on another scheduler.
 *
 * Cost: some 2 us for each call in the module, 0.3 us for each system call on the machine, and 0.1 us each time that a
 * process of the node begins or ceases to run. Needs root.
 *
 *     erltrace -N NODE function-syscalls MODULE [SECONDS [FUNCTION/ARITY]]
 *
 * @needs node
 * @arg MODULE module: whose functions
 * @arg SECONDS number optional: how long; 0 or without it until Ctrl-C
 * @arg FUNCTION string optional: one of them, with its arity: store/2
 */
#pragma D option defaultargs

self int depth;
self string mfa[int];

erlang*:$1:$3:entry
{
	self->depth++;
	self->mfa[self->depth] = copyinstr(arg1);
}

syscall:::entry
/pid == $target && self->depth > 0/
{
	@[self->mfa[self->depth], probefunc] = count();
}

erlang*:$1:$3:return
/self->depth > 0/
{
	self->mfa[self->depth] = 0;
	self->depth--;
}

tick-1s
/$2 && ++seconds >= $2/
{
	exit(0);
}

END
{
	printf("%-40s %-24s %10s\n", "FUNCTION", "CALL", "CALLS");
	printa("%-40s %-24s %@10u\n", @);
	trunc(@);
}
