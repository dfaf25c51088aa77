/*
 * Asserts that print() shows a string in quotes.
 */
#pragma D option quiet

BEGIN
{
	print("abc");
	exit(0);
}
