/*
 * Asserts that timestamps of ticks grow.
 */
#pragma D option quiet

uint64_t last;
int bad, n;

tick-1ms
/last && timestamp <= last/
{
	bad++;
}

tick-1ms
{
	last = timestamp;
	n++;
}

tick-1ms
/n == 50/
{
	printf("%d\n", bad);
	exit(0);
}
