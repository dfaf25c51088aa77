/*
 * Asserts that clear() sets values to 0 and keeps the keys.
 */
#pragma D option quiet

BEGIN
{
	@a["x"] = sum(5);
	@a["y"] = sum(6);
	clear(@a);
	exit(0);
}
