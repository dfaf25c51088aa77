/*
 * rindex() gives the last place.
 */
#pragma D option quiet

BEGIN
{
	printf("%d %d %d\n", rindex("foobarfoo", "foo"), rindex("foobarfoo", "o"), rindex("foobar", "baz"));
	exit(0);
}
