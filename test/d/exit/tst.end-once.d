/*
 * Asserts that END runs once.
 */
#pragma D option quiet

BEGIN
{
	exit(0);
}

END
{
	printf("end\n");
	exit(0);
}
