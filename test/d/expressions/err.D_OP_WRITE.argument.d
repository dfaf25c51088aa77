/*
 * A probe argument can't be assigned to.
 */
#pragma D option quiet

BEGIN
{
	arg0 = 1;
}
