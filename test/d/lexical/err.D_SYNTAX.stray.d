/*
 * Characters that D does not know are refused.
 */
#pragma D option quiet

BEGIN
{
	x = 1 # 2;
}
