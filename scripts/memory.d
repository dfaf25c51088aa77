#!/usr/bin/env -S erltrace -qs
/*
 * Which processes' heaps grow and shrink, and by how much (in words)? Costs more than 5 %.
 *
 * Cost: about 0.2 us for each garbage collection. On RabbitMQ it was 14 % of what a message needs. With -x sample=8 it
 * looks at one process of eight.
 *
 *     erltrace -N NODE memory [SECONDS]
 *
 * @needs node
 * @arg SECONDS number optional: how long; without it until Ctrl-C
 */
#pragma D option defaultargs

erlang*:::process-heap_grow
{
	@grown[copyinstr(arg0)] = sum((int)arg2 - (int)arg1);
	@events["heap grows"] = count();
	@step = quantize((int)arg2 - (int)arg1);
}

erlang*:::process-heap_shrink
{
	@shrunk[copyinstr(arg0)] = sum((int)arg1 - (int)arg2);
	@events["heap shrinks"] = count();
}

tick-1s
/$1 && ++seconds >= $1/
{
	exit(0);
}

END
{
	trunc(@grown, 20);
	trunc(@shrunk, 20);
	printa("%-40s %@12u\n", @events);
	printf("Words grown\n");
	printa("    %-36s %@12d\n", @grown);
	printf("Words shrunk\n");
	printa("    %-36s %@12d\n", @shrunk);
	printf("Words a step\n");
	printa(@step);
	trunc(@events);
	trunc(@grown);
	trunc(@shrunk);
	trunc(@step);
}
