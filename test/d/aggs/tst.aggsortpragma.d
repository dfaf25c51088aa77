/*
 * Asserts that the sort options work as pragmas.
 */
#pragma D option quiet

#pragma D option aggsortrev

BEGIN
{
	@["a", 3] = sum(20);
	@["b", 2] = sum(30);
	@["c", 1] = sum(10);
	exit(0);
}
