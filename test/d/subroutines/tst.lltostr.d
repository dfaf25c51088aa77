/*
 * lltostr() writes a number.
 */
#pragma D option quiet

BEGIN
{
	x = -42;
	printf("%s %s %s %s\n", lltostr(0), lltostr(123), lltostr(x), lltostr(9223372036854775807));
	exit(0);
}
