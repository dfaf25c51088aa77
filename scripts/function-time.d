#!/usr/bin/env -S erltrace -qs
/*
 * How long do the functions of one module take? A histogram for each, in ns from entry to return.
 *
 *     erltrace -N NODE function-time MODULE [SECONDS]
 *
 * @needs node
 * @arg MODULE module: whose functions
 * @arg SECONDS number optional: how long; without it until Ctrl-C
 */
#pragma D option defaultargs

erlang*:$1::entry
{
	self->t[stackdepth] = timestamp;
}

erlang*:$1::return
/self->t[stackdepth]/
{
	@[probemod, probefunc] = quantize(timestamp - self->t[stackdepth]);
	self->t[stackdepth] = 0;
}

tick-1s
/$2 && ++seconds >= $2/
{
	exit(0);
}
