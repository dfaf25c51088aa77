/*
 * tid is a positive number.
 */
#pragma D option quiet

BEGIN
{
	printf("%d\n", tid > 0);
	exit(0);
}
