/*
 * There are no arrays of void.
 */
#pragma D option quiet

void v[5];
BEGIN
{
	exit(0);
}
