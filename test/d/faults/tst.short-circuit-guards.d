/*
 * A test before && keeps a bad pointer from being followed.
 */
#pragma D option quiet

BEGIN
{
	p = (int *)NULL;
	x = p != NULL && *p == 5;
	printf("%d\n", x);
	exit(0);
}
