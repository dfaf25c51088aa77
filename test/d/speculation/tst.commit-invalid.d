/*
 * Asserts that committing a number that is no speculation is an illegal operation.
 *
 * @@stderr: illegal operation in action #1
 */
#pragma D option quiet

BEGIN
{
	commit(1234);
}

BEGIN
{
	exit(0);
}
