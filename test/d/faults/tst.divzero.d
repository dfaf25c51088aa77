/*
 * Division by zero is fault 4.
 */
#pragma D option quiet

BEGIN
{
	x = 0;
	y = 1 / x;
}

ERROR
{
	printf("%d\n", arg4);
	exit(0);
}
