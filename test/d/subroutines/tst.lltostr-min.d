/*
 * lltostr() writes the smallest number.
 */
#pragma D option quiet

BEGIN
{
	x = -9223372036854775807 - 1;
	printf("%s\n", lltostr(x));
	exit(0);
}
