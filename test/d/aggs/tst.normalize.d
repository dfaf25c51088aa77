/*
 * Asserts that normalize() divides what is shown.
 */
#pragma D option quiet

BEGIN
{
	@a["x"] = sum(100);
	@a["y"] = sum(205);
	normalize(@a, 10);
	exit(0);
}
