/*
 * Asserts that a tick or profile probe with no rate is refused.
 */

tick-
{
	exit(0);
}
