/*
 * Asserts that a cleared average prints as 0.
 */
#pragma D option quiet

BEGIN
{
	@a = avg(5);
	clear(@a);
	exit(0);
}
