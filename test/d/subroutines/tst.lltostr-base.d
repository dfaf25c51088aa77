/*
 * lltostr() of a base writes 0x before 16 and 0 before 8.
 */
#pragma D option quiet

BEGIN
{
	printf("%s %s %s %s %s\n", lltostr(255, 16), lltostr(8, 8), lltostr(5, 2), lltostr(35, 36), lltostr(42, 10));
	exit(0);
}
