/*
 * A wider type takes the value with the sign of the narrower one.
 */
#pragma D option quiet

BEGIN
{
	c = (char)-1;
	u = (unsigned char)255;
	printf("%d %d\n", (long)c, (long)u);
	exit(0);
}
