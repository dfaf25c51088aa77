/*
 * Asserts that clauses of one tick run in program order.
 */
#pragma D option quiet

tick-5ms
{
	printf("1");
}

tick-5ms
{
	printf("2\n");
	exit(0);
}
