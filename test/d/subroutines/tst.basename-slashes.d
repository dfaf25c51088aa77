/*
 * basename() ignores slashes at the end.
 */
#pragma D option quiet

BEGIN
{
	printf("%s %s %s %s\n", basename("/usr/lib/"), basename("/usr/lib///"), basename("/"), basename("///"));
	exit(0);
}
