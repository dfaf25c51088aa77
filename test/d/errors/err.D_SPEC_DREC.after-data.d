/*
 * speculate() comes before data is recorded.
 */
#pragma D option quiet

BEGIN
{
	printf("x\n");
	speculate(1);
}
