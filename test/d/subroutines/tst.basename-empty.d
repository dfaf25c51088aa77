/*
 * basename() of the empty string is a dot.
 */
#pragma D option quiet

BEGIN
{
	printf("%s\n", basename(""));
	exit(0);
}
