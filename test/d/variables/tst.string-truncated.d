/*
 * A string longer than strsize is cut to strsize characters.
 */
#pragma D option quiet

#pragma D option strsize=8

BEGIN
{
	s = "0123456789";
	printf("%s %d\n", s, strlen(s));
	exit(0);
}
