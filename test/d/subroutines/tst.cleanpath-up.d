/*
 * cleanpath() does not go above the root.
 */
#pragma D option quiet

BEGIN
{
	printf("%s %s\n", cleanpath("/../usr"), cleanpath("/usr/../../bin"));
	exit(0);
}
