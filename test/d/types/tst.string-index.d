/*
 * A string gives its characters by index.
 */
#pragma D option quiet

BEGIN
{
	s = "hello";
	printf("%c%c %d\n", s[0], s[4], s[5]);
	exit(0);
}
