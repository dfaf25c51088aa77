/*
 * Asserts that an aggregation over many firings has the exact total.
 */
#pragma D option quiet

tick-1ms
/n < 100/
{
	n++;
	@ = count();
	@s = sum(n);
}

tick-1ms
/n == 100/
{
	exit(0);
}
