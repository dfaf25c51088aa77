/*
 * index() of the empty string is the position, at most the length.
 */
#pragma D option quiet

BEGIN
{
	printf("%d %d %d %d %d\n", index("abc", ""), index("abc", "", 2), index("abc", "", 3), index("abc", "", 9), index("", ""));
	exit(0);
}
