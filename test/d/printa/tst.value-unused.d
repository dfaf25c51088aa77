/*
 * Asserts that a format may leave out the value; it is printed once for each key.
 */
#pragma D option quiet

BEGIN
{
	@a["x"] = sum(1);
	@a["y"] = sum(2);
	printa("%s,", @a);
	exit(0);
}
