/*
 * Asserts that printa() is refused when the keys of the aggregations have different types.
 */

BEGIN
{
	@a["x"] = count();
	@b[1] = count();
	printa(@a, @b);
	exit(0);
}
