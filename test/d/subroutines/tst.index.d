/*
 * index() gives the first place of a string in another, or -1.
 */
#pragma D option quiet

BEGIN
{
	printf("%d %d %d %d\n", index("foobarfoo", "foo"), index("foobarfoo", "bar"), index("foobar", "baz"), index("a", "ab"));
	exit(0);
}
