/*
 * Asserts that print() needs an argument.
 */

BEGIN
{
	print();
	exit(0);
}
