/*
 * %s takes a string.
 */
#pragma D option quiet

BEGIN
{
	printf("%s\n", 1);
}
