/*
 * Asserts that trunc(@, n) keeps the n greatest entries.
 */
#pragma D option quiet

BEGIN
{
	@a["a"] = sum(1);
	@a["b"] = sum(4);
	@a["c"] = sum(3);
	@a["d"] = sum(2);
	trunc(@a, 2);
	exit(0);
}
