/*
 * Asserts that averages are sorted as averages, not as sums.
 */
#pragma D option quiet

BEGIN
{
	@["low"] = avg(3);
	@["low"] = avg(3);
	@["low"] = avg(3);
	@["high"] = avg(5);
	exit(0);
}
