/*
 * An array needs its size.
 */
#pragma D option quiet

int a[];
BEGIN
{
	exit(0);
}
