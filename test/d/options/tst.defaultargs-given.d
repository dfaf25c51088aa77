/*
 * Asserts that defaultargs leaves given arguments alone.
 *
 * @@args: 12 ab
 */
#pragma D option quiet

#pragma D option defaultargs

BEGIN
{
	printf("%d [%s]\n", $1, $$2);
	exit(0);
}
