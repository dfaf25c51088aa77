/*
 * Asserts that max() of negative values only is not 0.
 */
#pragma D option quiet

BEGIN
{
	@ = max(-5);
	@ = max(-9);
	exit(0);
}
