/*
 * Asserts the layout of a string key: two spaces, 50 columns.
 */
#pragma D option quiet

BEGIN
{
	@["key"] = count();
	exit(0);
}
