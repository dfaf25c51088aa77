/*
 * Asserts that max() keeps INT64_MAX.
 */
#pragma D option quiet

BEGIN
{
	@ = max(1);
	@ = max(0x7fffffffffffffff);
	exit(0);
}
