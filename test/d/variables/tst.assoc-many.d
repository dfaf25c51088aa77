/*
 * Many elements are kept apart.
 */
#pragma D option quiet

#pragma D option dynvarsize=4m

BEGIN
{
	a[0] = 1; a[1] = 2; a[2] = 3; a[3] = 4; a[4] = 5; a[5] = 6; a[6] = 7; a[7] = 8;
	a[1 << 8] = 9; a[1 << 16] = 10; a[1 << 24] = 11; a[-1 << 8] = 12;
	printf("%d %d\n", a[0] + a[1] + a[2] + a[3] + a[4] + a[5] + a[6] + a[7],
	    a[256] + a[65536] + a[16777216] + a[-256]);
	exit(0);
}
