/*
 * Asserts that printa() is refused when the aggregations have different numbers of keys.
 */

BEGIN
{
	@a[1] = count();
	@b[1, 2] = count();
	printa(@a, @b);
	exit(0);
}
