/*
 * Asserts that trunc() compares averages.
 */
#pragma D option quiet

BEGIN
{
	@a["x"] = avg(2);
	@a["x"] = avg(2);
	@a["x"] = avg(2);
	@a["y"] = avg(5);
	trunc(@a, 1);
	exit(0);
}
