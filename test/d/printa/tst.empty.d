/*
 * Asserts that printa() of an aggregation that has no entries prints nothing.
 */
#pragma D option quiet

END
/0/
{
	@a = count();
}

BEGIN
{
	printa("%@d\n", @a);
	printf("end\n");
	exit(0);
}
