/*
 * Asserts that several END clauses run in program order.
 */
#pragma D option quiet

END
{
	printf("1 ");
}

BEGIN
{
	exit(0);
}

END
{
	printf("2\n");
}
