/*
 * Asserts that aggsortkey and aggsortrev sort by key, the last first.
 *
 * @@opts: -xaggsortkey -xaggsortrev
 */
#pragma D option quiet

BEGIN
{
	@["a", 3] = sum(20);
	@["b", 2] = sum(30);
	@["c", 1] = sum(10);
	exit(0);
}
