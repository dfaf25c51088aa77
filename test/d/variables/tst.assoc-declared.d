/*
 * A declared associative array has the declared types.
 */
#pragma D option quiet

char a[string, int];

BEGIN
{
	a["x", 1] = 200;
	printf("%d %d\n", a["x", 1], sizeof (a["x", 1]));
	exit(0);
}
