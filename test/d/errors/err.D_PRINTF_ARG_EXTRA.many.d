/*
 * Arguments without a conversion are refused.
 */
#pragma D option quiet

BEGIN
{
	printf("%d\n", 1, 2);
}
