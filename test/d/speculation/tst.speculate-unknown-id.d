/*
 * speculate() of an id that was never given out ends the clause silently.
 */
#pragma D option quiet
#pragma D option nspec=2

BEGIN
{
	speculate(17);
	printf("not here\n");
}

ERROR
{
	printf("a fault\n");
}

BEGIN
{
	printf("after\n");
	exit(0);
}
