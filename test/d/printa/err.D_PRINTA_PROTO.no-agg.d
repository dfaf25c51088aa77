/*
 * Asserts that printa() is refused when it has a format and no aggregation.
 */

BEGIN
{
	printa("%d\n");
	exit(0);
}
