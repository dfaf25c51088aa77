/*
 * Asserts that trace and printf of one clause keep their order.
 */
#pragma D option quiet

BEGIN
{
	trace(1);
	printf("-");
	trace(2);
	printf("\n");
	exit(0);
}
