/*
 * Asserts that exit() needs a status.
 */

BEGIN
{
	exit();
}
