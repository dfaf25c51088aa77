/*
 * index() begins at a position.
 */
#pragma D option quiet

BEGIN
{
	printf("%d %d %d\n", index("foobarfoo", "foo", 1), index("foobarfoo", "foo", 6), index("foobarfoo", "foo", 7));
	exit(0);
}
