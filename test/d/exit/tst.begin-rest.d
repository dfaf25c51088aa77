/*
 * Asserts that later BEGIN clauses do not run after exit().
 */
#pragma D option quiet

BEGIN
{
	exit(0);
}

BEGIN
{
	printf("never\n");
}
