/*
 * toupper() and tolower() change ASCII letters only.
 */
#pragma D option quiet

BEGIN
{
	printf("%s %s %s\n", toupper("Hello, world-1"), tolower("Hello, WORLD-1"), toupper(""));
	exit(0);
}
