/*
 * == and != of strings compare their text.
 */
#pragma D option quiet

BEGIN
{
	s = "abc";
	t = strjoin("ab", "c");
	printf("%d%d%d%d\n", s == t, s != t, s == "abd", "" == "");
	exit(0);
}
