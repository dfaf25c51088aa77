/*
 * Asserts that %S prints other bytes as three octal digits.
 */
#pragma D option quiet

BEGIN
{
	printf("%S\n", "\001x\033y");
	exit(0);
}
