/*
 * Asserts that an array of char is a key and prints as text.
 */
#pragma D option quiet

char arr[8];

BEGIN
{
	arr[0] = 'h';
	arr[1] = 'i';
	@[arr] = count();
	printa("%s %@d\n", @);
	exit(0);
}
