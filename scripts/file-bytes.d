#!/usr/bin/env -S erltrace -qs
/*
 * How much is read and written, in which file systems, and in which files by whom?
 *
 * Cost: about 0.8 us for each read and write, and 0.1 us for each other system call.
 *
 *     erltrace file-bytes [SECONDS]
 *     erltrace file-bytes -c COMMAND
 *
 * @needs kernel
 * @arg SECONDS number optional: how long; without it until Ctrl-C
 */
#pragma D option defaultargs

fsinfo:::read,
fsinfo:::write
{
	@mount[probename, args[0]->fi_fs, args[0]->fi_mount] = sum(args[1]);
	@file[probename, execname, args[0]->fi_pathname] = sum(args[1]);
}

tick-1s
/$1 && ++seconds >= $1/
{
	exit(0);
}

END
{
	printf("%-6s %-12s %-32s %14s\n", "", "FILE SYSTEM", "MOUNTED ON", "BYTES");
	printa("%-6s %-12s %-32s %@14u\n", @mount);
	trunc(@file, 20);
	printf("\n%-6s %-16s %-48s %14s\n", "", "PROGRAM", "FILE", "BYTES");
	printa("%-6s %-16s %-48s %@14u\n", @file);
	trunc(@mount);
	trunc(@file);
}
