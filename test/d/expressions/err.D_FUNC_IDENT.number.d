/*
 * A number can't be called.
 */
#pragma D option quiet

BEGIN
{
	1(2);
}
