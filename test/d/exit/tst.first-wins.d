/*
 * Asserts that the status is that of the exit() that ended tracing.
 *
 * @@exit: 4
 */
#pragma D option quiet

tick-5ms
{
	exit(4);
}

BEGIN
{
	printf("go\n");
}
