/*
 * Asserts that the status is no string.
 */

BEGIN
{
	exit("x");
}
