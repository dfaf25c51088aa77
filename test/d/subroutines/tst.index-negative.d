/*
 * A negative position of index() is 0.
 */
#pragma D option quiet

BEGIN
{
	printf("%d %d\n", index("foobar", "foo", -1), index("foobar", "bar", -100));
	exit(0);
}
