/*
 * strchr() gives the string from the first such character on.
 */
#pragma D option quiet

BEGIN
{
	printf("%s %s %s\n", strchr("abcabc", 'b'), strchr("abc", 'a'), strchr("abc", 'c'));
	exit(0);
}
