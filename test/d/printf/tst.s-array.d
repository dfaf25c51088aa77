/*
 * Asserts that %s takes an array of char and stops at its end without a NUL.
 */
#pragma D option quiet

char arr[3];

BEGIN
{
	arr[0] = 'o';
	arr[1] = 'k';
	arr[2] = '!';
	printf("%s\n", arr);
	exit(0);
}
