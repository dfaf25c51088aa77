/*
 * Asserts that several printf of a clause print in order, before the next clause.
 */
#pragma D option quiet

BEGIN
{
	printf("one ");
	printf("two ");
	printf("three\n");
	exit(0);
}
