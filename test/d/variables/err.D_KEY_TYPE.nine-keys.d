/*
 * Asserts that an associative array has at most eight keys, as many as DTrace has tuple registers.
 */

BEGIN
{
	a[1, 2, 3, 4, 5, 6, 7, 8] = 1;
	b[1, 2, 3, 4, 5, 6, 7, 8, 9] = 1;
}
