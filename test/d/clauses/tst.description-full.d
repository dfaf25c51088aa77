/*
 * A description may name provider and probe.
 */
#pragma D option quiet

dtrace:::BEGIN
{
	printf("full\n");
	exit(0);
}
