/*
 * There is no short void.
 */
#pragma D option quiet

BEGIN
{
	x = (short void *)0;
}
