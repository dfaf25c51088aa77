/*
 * The size of an array is a constant.
 */
#pragma D option quiet

int n;
int a[n];
BEGIN
{
	exit(0);
}
