/*
 * A string variable may be built from itself.
 */
#pragma D option quiet

BEGIN
{
	s = "ab";
	s = strjoin(s, s);
	s = strjoin(s, "c");
	s = substr(s, 1);
	printf("%s\n", s);
	exit(0);
}
