/*
 * An array is not assigned as a whole.
 */
#pragma D option quiet

int a[2];
int b[2];
BEGIN
{
	a = b;
}
