/*
 * Asserts that arg0 and arg1 of a tick are 0 here: no kernel and no user address.
 */
#pragma D option quiet

tick-5ms
{
	printf("%d %d\n", arg0, arg1);
	exit(0);
}
