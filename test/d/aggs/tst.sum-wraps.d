/*
 * Asserts that sum() past INT64_MAX wraps to negative.
 */
#pragma D option quiet

BEGIN
{
	@ = sum(0x7fffffffffffffff);
	@ = sum(1);
	exit(0);
}
