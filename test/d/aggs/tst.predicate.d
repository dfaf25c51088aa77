/*
 * Asserts that a false predicate keeps a clause from aggregating.
 */
#pragma D option quiet

BEGIN
/0/
{
	@a = count();
}

BEGIN
{
	@a = count();
	exit(0);
}
