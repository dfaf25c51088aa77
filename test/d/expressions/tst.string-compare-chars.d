/*
 * A char array compares with a string by text.
 */
#pragma D option quiet

char c[4];

BEGIN
{
	c[0] = 'a';
	c[1] = 'b';
	printf("%d %d\n", c == "ab", "ab" != c);
	exit(0);
}
