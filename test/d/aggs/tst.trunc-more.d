/*
 * Asserts that trunc() to more entries than there are keeps all.
 */
#pragma D option quiet

BEGIN
{
	@a["a"] = sum(1);
	@a["b"] = sum(4);
	trunc(@a, 10);
	exit(0);
}
