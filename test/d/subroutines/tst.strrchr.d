/*
 * strrchr() gives the string from the last such character on.
 */
#pragma D option quiet

BEGIN
{
	printf("%s %s %d\n", strrchr("abcabd", 'b'), strrchr("/usr/bin/erl", '/'), strrchr("abc", 'x') == NULL);
	exit(0);
}
