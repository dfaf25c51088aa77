/*
 * Asserts the layout of a 64-bit key: 16 columns.
 */
#pragma D option quiet

BEGIN
{
	@[(int64_t)-7] = count();
	exit(0);
}
