/*
 * Asserts that a format without conversions is printed once for each key.
 */
#pragma D option quiet

BEGIN
{
	@a[1] = count();
	@a[2] = count();
	printa("row\n", @a);
	exit(0);
}
