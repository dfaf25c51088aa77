/*
 * Asserts that missing macro arguments are 0 with defaultargs.
 */
#pragma D option quiet

#pragma D option defaultargs

BEGIN
{
	printf("%d\n", $1);
	exit(0);
}
