/*
 * Asserts that + shows the sign of positive numbers too.
 */
#pragma D option quiet

BEGIN
{
	printf("%+d %+d %+d\n", 5, -5, 0);
	exit(0);
}
