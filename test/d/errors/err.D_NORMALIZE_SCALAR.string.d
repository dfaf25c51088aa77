/*
 * The factor of normalize() is a scalar.
 */
#pragma D option quiet

BEGIN
{
	@a = count();
	normalize(@a, "2");
}
