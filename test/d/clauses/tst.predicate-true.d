/*
 * A clause runs when its predicate is not 0.
 */
#pragma D option quiet

BEGIN
/1/
{
	printf("a");
}

BEGIN
/-5/
{
	printf("b\n");
	exit(0);
}
