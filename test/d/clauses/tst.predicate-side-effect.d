/*
 * A predicate may change variables.
 */
#pragma D option quiet

BEGIN
/x++ == 0/
{
	printf("first\n");
}

BEGIN
/x++ == 0/
{
	printf("never\n");
}

BEGIN
{
	printf("%d\n", x);
	exit(0);
}
