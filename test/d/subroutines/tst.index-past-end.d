/*
 * index() from past the end finds nothing.
 */
#pragma D option quiet

BEGIN
{
	printf("%d %d\n", index("abc", "c", 3), index("abc", "a", 50));
	exit(0);
}
