/*
 * dirname() gives what stands before the last part.
 */
#pragma D option quiet

BEGIN
{
	printf("%s %s %s %s\n", dirname("/usr/lib/x.so"), dirname("x"), dirname("/x"), dirname("a/b"));
	exit(0);
}
