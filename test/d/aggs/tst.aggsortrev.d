/*
 * Asserts that aggsortrev sorts by value, the greatest first.
 *
 * @@opts: -xaggsortrev
 */
#pragma D option quiet

BEGIN
{
	@["a", 3] = sum(20);
	@["b", 2] = sum(30);
	@["c", 1] = sum(10);
	exit(0);
}
