/*
 * Asserts that the full description names the same probe.
 */
#pragma D option quiet

profile:::tick-5ms
{
	printf("%s:%s\n", probeprov, probename);
	exit(0);
}
