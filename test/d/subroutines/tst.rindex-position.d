/*
 * rindex() looks back from a position.
 */
#pragma D option quiet

BEGIN
{
	printf("%d %d %d %d\n", rindex("foobarfoo", "foo", 5), rindex("foobarfoo", "foo", 6), rindex("foobarfoo", "bar", 2), rindex("foofoo", "foo", 100));
	exit(0);
}
