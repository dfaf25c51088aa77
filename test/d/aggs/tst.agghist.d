/*
 * Asserts that agghist draws the entries of a count() as one distribution.
 *
 * @@opts: -xagghist
 */
#pragma D option quiet

BEGIN
{
	@["a"] = sum(1);
	@["b"] = sum(3);
	exit(0);
}
