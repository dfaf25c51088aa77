/*
 * Asserts that dynamic variables set to 0 are free again: no drops.
 *
 * @@opts: -xdynvarsize=2k
 * @@nostderr
 */
#pragma D option quiet

int n;

tick-1ms
/n < 300/
{
	a[n] = 1;
	a[n] = 0;
	n++;
}

tick-1ms
/n == 300/
{
	exit(0);
}
