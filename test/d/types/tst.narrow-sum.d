/*
 * The sum of two unsigned chars is an unsigned char when it is recorded, and a number of 64 bits before.
 */
#pragma D option quiet

unsigned char a, b;

BEGIN
{
	a = 200;
	b = 100;
	printf("%d %d %d\n", a + b, (a + b) / 2, a + b > 255);
	exit(0);
}
