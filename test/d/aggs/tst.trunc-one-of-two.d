/*
 * Asserts that trunc() leaves other aggregations alone.
 */
#pragma D option quiet

BEGIN
{
	@a["a"] = sum(5);
	@b["b"] = sum(6);
	trunc(@a);
	exit(0);
}
