/*
 * Asserts that the elements of a tuple print one after the other.
 */
#pragma D option quiet

BEGIN
{
	@["a", 1, "b"] = count();
	exit(0);
}
