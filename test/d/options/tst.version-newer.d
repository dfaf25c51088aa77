/*
 * A function is known to a program that is written for the version that brought it.
 */
#pragma D option quiet
#pragma D option version=1.1

BEGIN
{
	printf("%s\n", strstr("abc", "b"));
	exit(0);
}
