/*
 * strsize is the number of characters that a string holds: in trace(), strlen(), variables and results of functions.
 *
 * @@opts: -xstrsize=5
 */
#pragma D option quiet

BEGIN
{
	s = "abcdefgh";
	self->s = "abcdefgh";
	a[1] = "abcdefgh";
	trace("abcdefgh");
	printf(" %d %s %s %s ", strlen("abcdefgh"), s, self->s, a[1]);
	printf("%s %s %s ", strjoin("abc", "def"), substr("abcdefgh", 1), toupper("abcdefgh"));
	printf("%s %s %s %d\n", lltostr(1234567), basename("/a/bcdefghi"), strtok("abcdefg,h", ","), s == "abcde");
	exit(0);
}
