/*
 * An operator needs its operands.
 */
#pragma D option quiet

BEGIN
{
	x = 1 +;
}
