/*
 * Division by zero at run time is an error of the probe, not of the program.
 */
/* @@stderr: divide-by-zero */
#pragma D option quiet

BEGIN
{
	x = 0;
	printf("%d\n", 5 / x);
}

BEGIN
{
	printf("next\n");
	exit(0);
}
