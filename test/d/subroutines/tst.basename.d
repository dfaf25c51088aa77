/*
 * basename() gives the last part of a path.
 */
#pragma D option quiet

BEGIN
{
	printf("%s %s %s %s\n", basename("/usr/lib/x.so"), basename("x"), basename("/x"), basename("a/b"));
	exit(0);
}
