/*
 * Asserts that a tick or profile probe with a rate of 0 is refused.
 */

tick-0ms
{
	exit(0);
}
