/*
 * A bracket must be closed.
 */
#pragma D option quiet

BEGIN
{
	a[1 = 2;
}
