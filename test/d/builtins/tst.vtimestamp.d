/*
 * vtimestamp does not go back.
 */
#pragma D option quiet

BEGIN
{
	a = vtimestamp;
	b = vtimestamp;
	printf("%d\n", b >= a);
	exit(0);
}
