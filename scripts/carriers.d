#!/usr/bin/env -S erltrace -qs
/*
 * How much memory do the VM's allocators hold, and how much of it is in use? Memory is taken from the system in
 * carriers and given out in blocks: a carrier stays for as long as one block in it is used. Every second, by allocator:
 * bytes of its carriers, of the blocks in them, and what is idle between (fragmentation).
 *
 * Cost: 0.3 to 2 ms in each second on two schedulers, and more if there are more: each scheduler does its part.
 *
 *     erltrace -N NODE carriers [SECONDS]
 *
 * @needs node
 * @arg SECONDS number optional: how long; without it until Ctrl-C
 */
#pragma D option defaultargs
#pragma D option aggsortrev
#pragma D option switchrate=100ms
#pragma D option aggrate=100ms

erlang*:::carriers-1s
{
	@carriers[copyinstr(arg0)] = max(args[1]);
	@blocks[copyinstr(arg0)] = max(args[2]);
	@idle[copyinstr(arg0)] = max(args[1] - args[2]);
	@pool[copyinstr(arg0)] = max(args[4]);
}

tick-1s
{
	printf("%Y on %s\n    %-20s %14s %14s %14s %14s\n", walltimestamp, node, "ALLOCATOR", "CARRIERS", "BLOCKS",
	    "IDLE", "IN THE POOL");
	printa("    %-20s %@14d %@14d %@14d %@14d\n", @carriers, @blocks, @idle, @pool);
	trunc(@carriers);
	trunc(@blocks);
	trunc(@idle);
	trunc(@pool);
}

tick-1s
/$1 && ++seconds >= $1/
{
	exit(0);
}
