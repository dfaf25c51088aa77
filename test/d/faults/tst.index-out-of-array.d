/*
 * Reading far outside of an array is an error, not a crash.
 */
#pragma D option quiet

int a[4];

BEGIN
{
	i = 1 << 28;
	x = a[i];
	printf("never\n");
}

ERROR
{
	printf("error\n");
	exit(0);
}
