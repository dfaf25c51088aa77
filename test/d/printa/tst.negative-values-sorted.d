/*
 * Asserts that negative values come before positive ones.
 */
#pragma D option quiet

BEGIN
{
	@a[1] = sum(5);
	@a[2] = sum(-5);
	@a[3] = sum(0);
	printa("%d %@d\n", @a);
	exit(0);
}
