/*
 * %d takes a number.
 */
#pragma D option quiet

BEGIN
{
	printf("%d\n", "a");
}
