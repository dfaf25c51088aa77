/*
 * Asserts that a tick or profile probe with an unknown unit is refused.
 */

tick-5parsecs
{
	exit(0);
}
