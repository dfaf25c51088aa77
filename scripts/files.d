#!/usr/bin/env -S erltrace -qs
/*
 * What does the node do with files, and how long does that take? Each operation of the VM's file layer: number, and a
 * histogram in ns.
 *
 * Cost: about 0.6 us for each operation. That is little compared with the operation itself.
 *
 *     erltrace -N NODE files [SECONDS]
 *
 * @needs node
 * @arg SECONDS number optional: how long; without it until Ctrl-C
 */
#pragma D option defaultargs

erlang*:prim_file:*_nif?*:entry
{
	self->t = timestamp;
}

erlang*:prim_file:*_nif?*:return
/self->t/
{
	@number[probefunc] = count();
	@time[probefunc] = quantize(timestamp - self->t);
	self->t = 0;
}

tick-1s
/$1 && ++seconds >= $1/
{
	exit(0);
}

END
{
	printa("%-40s %@10u\n", @number);
	printa("%s, ns%@d\n", @time);
	trunc(@number);
	trunc(@time);
}
