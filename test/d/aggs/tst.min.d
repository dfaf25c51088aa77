/*
 * Asserts that min() keeps the least value.
 */
#pragma D option quiet

BEGIN
{
	@ = min(5);
	@ = min(2);
	@ = min(9);
	exit(0);
}
