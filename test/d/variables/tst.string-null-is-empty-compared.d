/*
 * A string that was given NULL compares as "": equal to it, and before all others.
 */
#pragma D option quiet

BEGIN
{
	g = "x";
	g = NULL;
	printf("%d %d %d\n", g == "", g == NULL, g < "a");
	exit(0);
}
