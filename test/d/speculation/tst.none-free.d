/*
 * Asserts that speculation() gives 0 when none is free.
 *
 * @@stderr: 1 failed speculation (no speculative buffer available)
 */
#pragma D option quiet

BEGIN
{
	speculation();
	printf("%d\n", speculation());
	exit(0);
}
