/*
 * An error in a key or a value of an aggregation adds nothing to it.
 */
#pragma D option quiet

BEGIN
{
	@a[*(int *)NULL] = count();
}

BEGIN
{
	@b = sum(*(int *)NULL);
}

BEGIN
{
	printa("%d %@d\n", @a);
	printa("%@d\n", @b);
	printf("end\n");
	exit(0);
}
