/*
 * dirname() ignores slashes at the end.
 */
#pragma D option quiet

BEGIN
{
	printf("%s %s %s %s\n", dirname("/usr/lib/"), dirname("/usr//lib"), dirname("/"), dirname("///"));
	exit(0);
}
