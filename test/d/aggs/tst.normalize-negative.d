/*
 * Asserts that negative values are normalized toward zero.
 */
#pragma D option quiet

BEGIN
{
	@a = sum(-105);
	normalize(@a, 10);
	exit(0);
}
