/*
 * The clauses after the one that failed run.
 */
#pragma D option quiet

BEGIN
{
	*(char *)NULL;
}

BEGIN
{
	printf("a\n");
}

BEGIN
{
	printf("b\n");
	exit(0);
}
