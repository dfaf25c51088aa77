/*
 * Asserts that normalized entries keep the order of their values.
 */
#pragma D option quiet

BEGIN
{
	@a["x"] = sum(19);
	@a["y"] = sum(11);
	normalize(@a, 10);
	exit(0);
}
