/*
 * Asserts that trunc(@, 0) removes all entries.
 */
#pragma D option quiet

BEGIN
{
	@a["a"] = sum(1);
	trunc(@a, 0);
	exit(0);
}
