/*
 * A compound assignment reads its left side before it computes the right one.
 */
#pragma D option quiet

BEGIN
{
	i = 4;
	i += i++ + 10;
	a["x"] = 4;
	a["x"] += a["x"]++ + 10;
	printf("%d %d\n", i, a["x"]);
	exit(0);
}
