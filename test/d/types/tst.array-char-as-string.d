/*
 * A char array is usable as a string.
 */
#pragma D option quiet

char c[8];

BEGIN
{
	c[0] = 'h';
	c[1] = 'i';
	printf("%s %d\n", stringof(c), strlen(c));
	exit(0);
}
