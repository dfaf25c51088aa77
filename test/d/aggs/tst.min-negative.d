/*
 * Asserts that min() compares signed values.
 */
#pragma D option quiet

BEGIN
{
	@ = min(5);
	@ = min(-2);
	exit(0);
}
