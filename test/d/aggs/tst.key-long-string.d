/*
 * Asserts that a key longer than its column is not cut.
 */
#pragma D option quiet

BEGIN
{
	@["xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"] = count();
	exit(0);
}
