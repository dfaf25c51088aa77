/*
 * A string plus a number is the rest of the string from there, and a string itself.
 */
#pragma D option quiet

BEGIN
{
	s = "hello";
	trace(s + 1);
	printf(" %s %s %d %c\n", s + 1, 2 + s, s + 1 == "ello", *(s + 4));
	exit(0);
}
