/*
 * The clauses of END run in order and only once.
 */
#pragma D option quiet

BEGIN
{
	exit(0);
}

END
{
	printf("1");
}

END
{
	printf("2\n");
}
