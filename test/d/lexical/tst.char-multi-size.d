/*
 * A character literal of more than four characters is a long.
 */
#pragma D option quiet

BEGIN
{
	printf("%d %d\n", sizeof ('abc'), sizeof ('abcde'));
	exit(0);
}
