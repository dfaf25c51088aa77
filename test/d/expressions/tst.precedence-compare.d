/*
 * == binds looser than < and tighter than &.
 */
#pragma D option quiet

BEGIN
{
	printf("%d %d %d\n", 1 < 2 == 1, 2 & 2 == 2, 3 == 3 & 1);
	exit(0);
}
