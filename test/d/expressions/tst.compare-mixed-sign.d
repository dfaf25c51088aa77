/*
 * A signed int compared with an unsigned int is compared as unsigned.
 */
#pragma D option quiet

BEGIN
{
	a = -1;
	b = 1u;
	printf("%d %d\n", -1 < 1u, a < b);
	exit(0);
}
