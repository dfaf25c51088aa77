/*
 * timestamp does not change within one firing.
 */
#pragma D option quiet

BEGIN
{
	a = timestamp;
	b = timestamp;
	printf("%d %d\n", a == b, a > 0);
	exit(0);
}
