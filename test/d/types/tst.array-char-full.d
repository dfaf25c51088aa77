/*
 * A char array without a NUL ends where the array ends.
 */
#pragma D option quiet

char c[3];

BEGIN
{
	c[0] = 'a';
	c[1] = 'b';
	c[2] = 'c';
	printf("%s\n", stringof(c));
	exit(0);
}
