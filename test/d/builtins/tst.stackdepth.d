/*
 * stackdepth and ustackdepth are not negative, and ipl is 0.
 */
#pragma D option quiet

BEGIN
{
	printf("%d %d %d\n", stackdepth >= 0, ustackdepth >= 0, ipl);
	exit(0);
}
