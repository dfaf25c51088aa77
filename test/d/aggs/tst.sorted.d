/*
 * Asserts that the final output is sorted by value.
 */
#pragma D option quiet

BEGIN
{
	@["three"] = sum(3);
	@["one"] = sum(1);
	@["two"] = sum(2);
	exit(0);
}
