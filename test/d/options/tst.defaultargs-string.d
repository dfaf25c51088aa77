/*
 * Asserts that missing macro arguments are empty strings with defaultargs.
 */
#pragma D option quiet

#pragma D option defaultargs

BEGIN
{
	printf("[%s]\n", $$1);
	exit(0);
}
