/*
 * lltostr() of 0 in bases 16, 8 and 2.
 */
#pragma D option quiet

BEGIN
{
	printf("%s %s %s\n", lltostr(0, 16), lltostr(0, 8), lltostr(0, 2));
	exit(0);
}
