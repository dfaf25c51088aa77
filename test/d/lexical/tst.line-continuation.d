/*
 * A backslash at the end of a line outside of a string counts as white space.
 */
#pragma D option quiet

BEGIN
{
	x = 1 + \
	    2;
	printf("%d\n", x);
	exit(0);
}
