/*
 * Asserts that a tick or profile probe with a profile rate past the limit is refused.
 */

profile-1000000
{
	exit(0);
}
