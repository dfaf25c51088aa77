/*
 * Asserts that chill() of more than 500 ms is an illegal operation.
 *
 * @@stderr: illegal operation
 */
#pragma D option quiet

#pragma D option destructive

BEGIN
{
	chill(600000000);
}

BEGIN
{
	exit(0);
}
