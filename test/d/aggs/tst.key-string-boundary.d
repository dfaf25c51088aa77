/*
 * Asserts that ("ab","c") and ("a","bc") are different keys.
 */
#pragma D option quiet

BEGIN
{
	@["ab", "c"] = sum(1);
	@["a", "bc"] = sum(2);
	exit(0);
}
