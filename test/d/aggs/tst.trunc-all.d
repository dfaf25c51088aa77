/*
 * Asserts that trunc() without a number removes all entries.
 */
#pragma D option quiet

BEGIN
{
	@a["x"] = sum(5);
	@a["y"] = sum(6);
	trunc(@a);
	exit(0);
}
