/*
 * Asserts that a speculation gathers data of several firings.
 */
#pragma D option quiet

int n;

BEGIN
{
	s = speculation();
}

tick-10ms
/n < 3/
{
	speculate(s);
	printf("%d\n", n);
}

tick-10ms
{
	n++;
}

tick-10ms
/n == 3/
{
	commit(s);
}

tick-10ms
/n == 4/
{
	exit(0);
}
