/*
 * trunc() takes an aggregation and a number.
 */
#pragma D option quiet

BEGIN
{
	@a = count();
	trunc(@a, 1, 2);
}
