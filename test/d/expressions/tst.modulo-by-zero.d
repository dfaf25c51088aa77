/*
 * A remainder by zero at run time is an error of the probe.
 */
/* @@stderr: divide-by-zero */
#pragma D option quiet

BEGIN
{
	x = 0;
	printf("%d\n", 5 % x);
}

BEGIN
{
	printf("next\n");
	exit(0);
}
