/*
 * /= by zero is fault 4 and leaves the variable alone.
 */
#pragma D option quiet

BEGIN
{
	x = 5;
	z = 0;
	x /= z;
}

ERROR
{
	printf("%d %d\n", arg4, x);
	exit(0);
}
