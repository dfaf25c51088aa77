/*
 * Asserts that min() of positive values only is not 0.
 */
#pragma D option quiet

BEGIN
{
	@ = min(7);
	exit(0);
}
