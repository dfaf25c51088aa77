/*
 * dirname() of the empty string is a dot.
 */
#pragma D option quiet

BEGIN
{
	printf("%s\n", dirname(""));
	exit(0);
}
