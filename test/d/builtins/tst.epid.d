/*
 * epid differs from clause to clause.
 */
#pragma D option quiet

BEGIN
{
	a = epid;
}

BEGIN
{
	printf("%d %d\n", a > 0, epid != a);
	exit(0);
}
