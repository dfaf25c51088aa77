/*
 * Asserts that 300 keys of many firings are all kept.
 */
#pragma D option quiet

int n;

tick-1ms
/n < 300/
{
	@a[n] = sum(n);
	n++;
}

tick-1ms
/n == 300/
{
	exit(0);
}
