/*
 * A signed char goes from 127 to -128.
 */
#pragma D option quiet

char c;

BEGIN
{
	c = 127;
	c++;
	printf("%d\n", c);
	exit(0);
}
