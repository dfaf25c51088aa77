#!/usr/bin/env -S erltrace -qs
/*
 * How long do the functions of one module take? Costs more than 5 % if its functions are called often. A histogram for
 * each, in ns from entry to return.
 *
 * Cost: about 0.6 us for each call in the module. A module of many small functions that is always at work halves what
 * the node can do. Then name the function as well; all others run at full speed. With -x sample=8 it looks at one
 * process of eight.
 *
 *     erltrace -N NODE function-time MODULE [SECONDS [FUNCTION/ARITY]]
 *
 * @needs node
 * @arg MODULE module: whose functions
 * @arg SECONDS number optional: how long; 0 or without it until Ctrl-C
 * @arg FUNCTION string optional: one of them, with its arity: seq/2
 */
#pragma D option defaultargs

erlang*:$1:$3:entry
{
	self->t[stackdepth] = timestamp;
}

erlang*:$1:$3:return
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
