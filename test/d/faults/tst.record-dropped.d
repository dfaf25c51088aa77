/*
 * What the clause had recorded before the error is not shown.
 */
#pragma D option quiet

BEGIN
{
	printf("never shown\n");
	*(char *)NULL;
}

BEGIN
{
	printf("next\n");
	exit(0);
}
