/*
 * Asserts that aggsortpos chooses which of several aggregations printa() sorts by.
 *
 * @@opts: -xaggsortpos=1
 */
#pragma D option quiet

BEGIN
{
	@a["x"] = sum(1);
	@b["x"] = sum(20);
	@a["y"] = sum(2);
	@b["y"] = sum(10);
	printa("%s %@d %@d\n", @a, @b);
	exit(0);
}
