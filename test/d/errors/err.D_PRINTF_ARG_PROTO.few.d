/*
 * Each conversion needs an argument.
 */
#pragma D option quiet

BEGIN
{
	printf("%d %d\n", 1);
}
