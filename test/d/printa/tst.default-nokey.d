/*
 * Asserts that printa() of an aggregation without keys prints an empty line, then its value in 16
 * columns.
 */
#pragma D option quiet

BEGIN
{
	@a = count();
	printa(@a);
	exit(0);
}
