/*
 * ! is 1 for 0 only.
 */
#pragma D option quiet

BEGIN
{
	a = 5;
	b = 0;
	printf("%d%d%d %d%d%d\n", !0, !1, !-5, !a, !b, !!a);
	exit(0);
}
