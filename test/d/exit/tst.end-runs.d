/*
 * Asserts that END runs after exit().
 */
#pragma D option quiet

BEGIN
{
	printf("begin ");
	exit(0);
}

END
{
	printf("end\n");
}
