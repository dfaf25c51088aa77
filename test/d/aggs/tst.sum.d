/*
 * Asserts that sum() adds.
 */
#pragma D option quiet

BEGIN
{
	@ = sum(10);
	@ = sum(-3);
	exit(0);
}
