/*
 * Asserts that equal values and equal first keys are sorted by the second key.
 */
#pragma D option quiet

BEGIN
{
	@["a", 3] = count();
	@["a", 1] = count();
	@["a", 2] = count();
	exit(0);
}
