/*
 * An unsigned char goes from 255 to 0.
 */
#pragma D option quiet

unsigned char u;

BEGIN
{
	u = 255;
	u++;
	printf("%d\n", u);
	exit(0);
}
