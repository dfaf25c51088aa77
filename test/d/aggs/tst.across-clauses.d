/*
 * Asserts that an aggregation is shared by all clauses.
 */
#pragma D option quiet

BEGIN
{
	@a = sum(1);
}

BEGIN
{
	@a = sum(2);
	exit(0);
}

END
{
	@a = sum(4);
}
