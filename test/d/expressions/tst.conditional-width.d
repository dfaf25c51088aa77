/*
 * The type of ?: is that of both arms promoted.
 */
#pragma D option quiet

BEGIN
{
	a = 1;
	printf("%d %d\n", sizeof (a ? 1 : 2L), a ? -1 : 2L);
	exit(0);
}
