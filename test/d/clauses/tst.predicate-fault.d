/*
 * An error in a predicate is an error of the probe, and the body does not run.
 */
/* @@stderr: in predicate */
#pragma D option quiet

BEGIN
{
	x = 0;
}

BEGIN
/1 / x/
{
	printf("never\n");
}

BEGIN
{
	printf("next\n");
	exit(0);
}
