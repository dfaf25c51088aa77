/*
 * Asserts that normalize() does not change what is kept: denormalize() undoes it.
 */
#pragma D option quiet

BEGIN
{
	@a = sum(105);
	normalize(@a, 10);
	printa("%@d\n", @a);
	denormalize(@a);
	printa("%@d\n", @a);
	exit(0);
}
