/*
 * Asserts that %Y prints a 64-bit key as a date.
 */
#pragma D option quiet

BEGIN
{
	@a[(uint64_t)1234567890000000000] = count();
	printa("%Y %@d\n", @a);
	exit(0);
}
