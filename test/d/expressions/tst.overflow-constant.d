/*
 * Constant expressions of 64 bits wrap as those of variables do.
 */
#pragma D option quiet

BEGIN
{
	printf("%d %d\n", 9223372036854775807 + 1, 9223372036854775807 * 2);
	exit(0);
}
