/*
 * >> of a signed number keeps its sign.
 */
#pragma D option quiet

BEGIN
{
	a = -16;
	n = 2;
	printf("%d %d %d\n", -16 >> 2, a >> n, -1 >> 31);
	exit(0);
}
