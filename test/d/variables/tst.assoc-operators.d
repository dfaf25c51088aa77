/*
 * All assignments and ++ work on an element.
 */
#pragma D option quiet

BEGIN
{
	a["k"] = 10;
	a["k"] += 5;
	a["k"] %= 8;
	a["k"]++;
	printf("%d ", a["k"]--);
	printf("%d ", ++a["k"]);
	printf("%d\n", a["k"]);
	exit(0);
}
