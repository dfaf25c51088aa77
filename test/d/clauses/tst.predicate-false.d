/*
 * A clause does not run when its predicate is 0.
 */
#pragma D option quiet

BEGIN
/0/
{
	printf("never\n");
}

BEGIN
/pid == 0/
{
	printf("never\n");
}

BEGIN
{
	exit(0);
}
