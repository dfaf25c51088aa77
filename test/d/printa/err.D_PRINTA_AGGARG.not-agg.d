/*
 * Asserts that printa() is refused when its argument is not an aggregation.
 */

BEGIN
{
	printa("%d\n", 1);
	exit(0);
}
