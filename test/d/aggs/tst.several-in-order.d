/*
 * Asserts that aggregations print at the end in the order of their first appearance.
 */
#pragma D option quiet

BEGIN
{
	@z["z"] = count();
	@a["a"] = count();
	@m["m"] = count();
	exit(0);
}
