/*
 * Asserts that %d and %i print signed numbers of every size.
 */
#pragma D option quiet

BEGIN
{
	printf("%d %i %d %d %d\n", 42, -42, (char)-1, (short)-300, (int64_t)-5000000000);
	exit(0);
}
