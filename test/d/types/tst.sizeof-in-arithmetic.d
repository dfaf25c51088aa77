/*
 * The value of sizeof is a size_t, which is unsigned.
 */
#pragma D option quiet

BEGIN
{
	printf("%d %d\n", sizeof (sizeof (int)), sizeof (int) - 5 > 0);
	exit(0);
}
