/*
 * Asserts that %% prints one percent sign and takes no argument.
 */
#pragma D option quiet

BEGIN
{
	printf("100%% of %d%%\n", 7);
	exit(0);
}
