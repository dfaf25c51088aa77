/*
 * &= needs integers.
 */
#pragma D option quiet

BEGIN
{
	s = "a";
	s &= 1;
}
