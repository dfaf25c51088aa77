/*
 * The clause that failed ends at the error.
 */
#pragma D option quiet

BEGIN
{
	x = 1;
	*(char *)NULL;
	x = 2;
}

BEGIN
{
	printf("%d\n", x);
	exit(0);
}
