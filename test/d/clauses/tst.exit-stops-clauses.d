/*
 * No later clause of the probe runs after exit().
 */
#pragma D option quiet

BEGIN
{
	printf("a\n");
	exit(0);
}

BEGIN
{
	printf("never\n");
}
