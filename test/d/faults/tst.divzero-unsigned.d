/*
 * Unsigned division by zero is fault 4 too.
 */
#pragma D option quiet

BEGIN
{
	x = 0u;
	y = 1u / x;
}

ERROR
{
	printf("%d\n", arg4);
	exit(0);
}
