/*
 * Asserts that print() shows a number with its type, in hexadecimal.
 */
#pragma D option quiet

BEGIN
{
	print((int)42);
	exit(0);
}
