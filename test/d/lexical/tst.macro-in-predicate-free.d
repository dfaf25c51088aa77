/*
 * A macro variable may be used in arithmetic like any number.
 */
/* @@args: 3 */
#pragma D option quiet

BEGIN
{
	x = $1 * $1;
	printf("%d\n", x);
	exit(0);
}
