/*
 * The number of trunc() is a scalar.
 */
#pragma D option quiet

BEGIN
{
	@a = count();
	trunc(@a, "5");
}
