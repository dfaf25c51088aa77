/*
 * Character literals know C's escapes.
 */
#pragma D option quiet

BEGIN
{
	printf("%d %d %d %d %d %d %d\n", '\a', '\b', '\f', '\n', '\r', '\t', '\v');
	printf("%d %d\n", '\\', '\"');
	exit(0);
}
