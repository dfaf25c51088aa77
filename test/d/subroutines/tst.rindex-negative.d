/*
 * rindex() from a negative position finds nothing but the empty string.
 */
#pragma D option quiet

BEGIN
{
	printf("%d %d\n", rindex("foo", "foo", -1), rindex("foo", "", -1));
	exit(0);
}
