/*
 * Asserts that UTF-8 in a format and in a string passes unchanged.
 */
#pragma D option quiet

BEGIN
{
	printf("naïve %s\n", "Łódź");
	exit(0);
}
