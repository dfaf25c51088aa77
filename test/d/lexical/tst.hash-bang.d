#!/usr/sbin/erltrace -s
/*
 * A first line that begins with #! is skipped.
 */
#pragma D option quiet

BEGIN
{
	printf("ran\n");
	exit(0);
}
