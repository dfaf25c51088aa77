/*
 * Asserts that a tick or profile probe with a rate past the limit is refused.
 */

tick-1ns
{
	exit(0);
}
