/*
 * argN is an int64_t.
 */
#pragma D option quiet

BEGIN
{
	printf("%d %d\n", sizeof (arg0), arg0 - 1 < 0);
	exit(0);
}
