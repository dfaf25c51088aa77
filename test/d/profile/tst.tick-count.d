/*
 * Asserts that 50 ticks of 2 ms take about 100 ms.
 *
 * @@alone
 */
#pragma D option quiet

BEGIN
{
	start = timestamp;
}

tick-2ms
/++n == 50/
{
	ms = (timestamp - start) / 1000000;
	printf("%s\n", ms >= 90 && ms < 400 ? "ok" : "off");
	exit(0);
}
