/*
 * A pragma that is not D's is ignored.
 */
#pragma D option quiet

#pragma once
#pragma GCC poison x
BEGIN
{
	printf("ran\n");
	exit(0);
}
