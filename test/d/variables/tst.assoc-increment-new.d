/*
 * ++ makes an element that was not there.
 */
#pragma D option quiet

BEGIN
{
	a["k"]++;
	a["k"]++;
	printf("%d %d\n", a["k"], a["other"]);
	exit(0);
}
