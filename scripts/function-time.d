#!/usr/bin/env -S erltrace -qs
/*
 * How long do the functions of one module take? A histogram for each, in ns from entry to return.
 *
 *     ./function-time.d -N NODE -D MODULE=lists -C [SECONDS]
 */
#pragma D option defaultargs

#ifndef MODULE
#error give -C -D MODULE=..., such as -C -D MODULE=lists
#endif

erlang*:MODULE::entry
{
	self->t[stackdepth] = timestamp;
}

erlang*:MODULE::return
/self->t[stackdepth]/
{
	@[probemod, probefunc] = quantize(timestamp - self->t[stackdepth]);
	self->t[stackdepth] = 0;
}

tick-1s
/$1 && ++seconds >= $1/
{
	exit(0);
}
