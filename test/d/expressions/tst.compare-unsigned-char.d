/*
 * An unsigned char compared with an int is compared as an int.
 */
#pragma D option quiet

BEGIN
{
	a = (unsigned char)255;
	printf("%d %d\n", a == -1, a > -1);
	exit(0);
}
