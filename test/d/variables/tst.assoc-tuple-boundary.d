/*
 * The strings of a tuple do not run into each other.
 */
#pragma D option quiet

BEGIN
{
	a["ab", "c"] = 1;
	a["a", "bc"] = 2;
	printf("%d %d\n", a["ab", "c"], a["a", "bc"]);
	exit(0);
}
