/*
 * Asserts that INT64_MIN and INT64_MAX fall into the outer rows.
 */
#pragma D option quiet

BEGIN
{
	@ = lquantize(0x8000000000000000, 0, 2, 1);
	@ = lquantize(0x7fffffffffffffff, 0, 2, 1);
	exit(0);
}
