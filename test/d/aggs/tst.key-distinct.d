/*
 * Asserts that tuples that differ in one element are different keys.
 */
#pragma D option quiet

BEGIN
{
	@["a", 1] = count();
	@["a", 2] = count();
	@["a", 2] = count();
	exit(0);
}
