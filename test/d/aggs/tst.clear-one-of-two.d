/*
 * Asserts that clear() leaves other aggregations alone.
 */
#pragma D option quiet

BEGIN
{
	@a["a"] = sum(5);
	@b["b"] = sum(6);
	clear(@a);
	exit(0);
}
