/*
 * A comparison and a logical operation are ints.
 */
#pragma D option quiet

BEGIN
{
	x = (char)1;
	y = 5l;
	printf("%d %d %d %d\n", sizeof (x == y), sizeof (x && y), sizeof (!y), sizeof (y < 2));
	exit(0);
}
