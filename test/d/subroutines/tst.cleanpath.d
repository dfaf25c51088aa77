/*
 * cleanpath() takes out dots and doubled slashes.
 */
#pragma D option quiet

BEGIN
{
	printf("%s %s %s\n", cleanpath("/usr/./lib"), cleanpath("//usr//lib"), cleanpath("/usr/lib/../bin"));
	exit(0);
}
