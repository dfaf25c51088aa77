#!/usr/bin/env -S erltrace -qs
/*
 * How long do disks take, and which files keep them busy? A histogram for each device and direction in microseconds,
 * and bytes by file.
 *
 * Cost: about 6 us for each request to a disk. That is little compared with the operation itself.
 *
 *     erltrace disk-latency [SECONDS]
 *     erltrace disk-latency -c COMMAND
 *
 * @needs kernel
 * @arg SECONDS number optional: how long; without it until Ctrl-C
 */
#pragma D option defaultargs

io:::start
{
	began[arg0] = timestamp;
	@bytes[args[1]->dev_statname, args[0]->b_flags & B_READ ? "R" : "W", args[2]->fi_name] = sum(args[0]->b_bcount);
}

io:::done
/began[arg0]/
{
	@time[args[1]->dev_statname, args[0]->b_flags & B_READ ? "read" : "write"] =
	    quantize((timestamp - began[arg0]) / 1000);
	began[arg0] = 0;
}

tick-1s
/$1 && ++seconds >= $1/
{
	exit(0);
}

END
{
	printa("%s, %s, us%@d\n", @time);
	trunc(@bytes, 20);
	printf("%-12s %-3s %-40s %14s\n", "DEVICE", "", "FILE", "BYTES");
	printa("%-12s %-3s %-40s %@14u\n", @bytes);
	trunc(@time);
	trunc(@bytes);
}
