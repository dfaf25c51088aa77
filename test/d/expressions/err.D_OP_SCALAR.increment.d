/*
 * ++ needs a scalar.
 */
#pragma D option quiet

BEGIN
{
	s = "a";
	s++;
}
