/*
 * strtoll() stops at the first character that is no digit.
 */
#pragma D option quiet

BEGIN
{
	printf("%d %d %d\n", strtoll("12abc"), strtoll("abc"), strtoll(""));
	exit(0);
}
