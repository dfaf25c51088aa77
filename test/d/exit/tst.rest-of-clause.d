/*
 * Asserts that the statements after exit() in its clause still run.
 */
#pragma D option quiet

BEGIN
{
	exit(0);
	printf("still here\n");
}
