/*
 * Asserts that printa() is refused when the value is given to %s.
 */

BEGIN
{
	@a["x"] = count();
	printa("%@s\n", @a);
	exit(0);
}
