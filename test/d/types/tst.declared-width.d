/*
 * A declared variable keeps its declared width and sign.
 */
#pragma D option quiet

char c;
unsigned char u;
short s;
uint16_t us;

BEGIN
{
	c = 255;
	u = 255;
	s = 65535;
	us = 65535;
	printf("%d %d %d %d\n", c, u, s, us);
	exit(0);
}
