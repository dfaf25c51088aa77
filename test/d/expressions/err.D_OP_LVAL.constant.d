/*
 * A constant can't be assigned to.
 */
#pragma D option quiet

BEGIN
{
	1 = 2;
}
