/*
 * Asserts the layout of several aggregations without a format: keys, then each value.
 */
#pragma D option quiet

BEGIN
{
	@a["x"] = sum(1);
	@b["x"] = sum(10);
	printa(@a, @b);
	exit(0);
}
