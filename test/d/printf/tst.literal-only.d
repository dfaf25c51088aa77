/*
 * Asserts that a format without conversions is printed as it is.
 */
#pragma D option quiet

BEGIN
{
	printf("just text\n");
	exit(0);
}
