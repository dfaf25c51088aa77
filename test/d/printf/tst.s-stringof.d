/*
 * Asserts that stringof makes a string of a char array.
 */
#pragma D option quiet

char arr[8];

BEGIN
{
	arr[0] = 'h';
	arr[1] = 'i';
	printf("%s\n", stringof(arr));
	exit(0);
}
