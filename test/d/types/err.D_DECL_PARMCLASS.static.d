/*
 * A parameter has no storage class.
 */
#pragma D option quiet

int f(static int a);
BEGIN
{
	exit(0);
}
