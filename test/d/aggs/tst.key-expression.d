/*
 * Asserts that a key may be an expression.
 */
#pragma D option quiet

BEGIN
{
	x = 3;
	@[x * 2 + 1] = count();
	exit(0);
}
