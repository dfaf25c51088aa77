/*
 * rindex() of the empty string is the length.
 */
#pragma D option quiet

BEGIN
{
	printf("%d %d\n", rindex("abc", ""), rindex("abc", "", 1));
	exit(0);
}
