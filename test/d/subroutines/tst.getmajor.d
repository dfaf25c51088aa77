/*
 * getmajor() and getminor() take a device number of Linux apart.
 */
#pragma D option quiet

BEGIN
{
	d = (8 << 20) | 3;
	printf("%d %d\n", getmajor(d), getminor(d));
	exit(0);
}
