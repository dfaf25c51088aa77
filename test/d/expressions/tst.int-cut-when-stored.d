/*
 * A result that its type cannot hold is cut when it is stored and when it is recorded.
 */
#pragma D option quiet

BEGIN
{
	x = 70000;
	y = x * x;
	printf("%d %d\n", y, x * x);
	exit(0);
}
