/*
 * The aggregation without a name is also called _.
 */
#pragma D option quiet

BEGIN
{
	x = 1;
	@ = sum(x);
	@_ = sum(x);
	printa("%@d\n", @);
	exit(0);
}
