/*
 * Asserts that BEGIN comes before any other probe.
 */
#pragma D option quiet

int ready;

tick-1ms
{
	printf("tick %d\n", ready);
	exit(0);
}

BEGIN
{
	ready = 1;
}
