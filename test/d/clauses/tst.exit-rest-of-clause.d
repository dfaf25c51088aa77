/*
 * The statements after exit() in its own clause still run.
 */
#pragma D option quiet

BEGIN
{
	exit(0);
	printf("after\n");
}
