/*
 * Asserts that min() keeps INT64_MIN.
 */
#pragma D option quiet

BEGIN
{
	@ = min(0);
	@ = min(0x8000000000000000);
	exit(0);
}
