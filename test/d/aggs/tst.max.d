/*
 * Asserts that max() keeps the greatest value.
 */
#pragma D option quiet

BEGIN
{
	@ = max(5);
	@ = max(12);
	@ = max(9);
	exit(0);
}
