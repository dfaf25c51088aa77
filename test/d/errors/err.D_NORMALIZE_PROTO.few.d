/*
 * normalize() needs a factor.
 */
#pragma D option quiet

BEGIN
{
	@a = count();
	normalize(@a);
}
