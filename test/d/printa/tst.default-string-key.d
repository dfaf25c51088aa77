/*
 * Asserts that a string key is printed at the left of 50 columns.
 */
#pragma D option quiet

BEGIN
{
	@a["abc"] = sum(7);
	printa(@a);
	exit(0);
}
