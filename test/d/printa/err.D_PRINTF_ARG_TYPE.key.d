/*
 * Asserts that printa() is refused when a string key is given to %d.
 */

BEGIN
{
	@a["x"] = count();
	printa("%d %@d\n", @a);
	exit(0);
}
