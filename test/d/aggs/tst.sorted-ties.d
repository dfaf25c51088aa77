/*
 * Asserts that equal values are sorted by key.
 */
#pragma D option quiet

BEGIN
{
	@["c"] = count();
	@["a"] = count();
	@["b"] = count();
	exit(0);
}
