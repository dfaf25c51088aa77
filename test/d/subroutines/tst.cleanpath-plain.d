/*
 * cleanpath() leaves a clean path alone.
 */
#pragma D option quiet

BEGIN
{
	printf("%s %s\n", cleanpath("/usr/lib/x"), cleanpath("/"));
	exit(0);
}
