/*
 * Asserts that trace() of printable bytes shows them as text.
 */
#pragma D option quiet

char arr[4];

BEGIN
{
	arr[0] = 'h';
	arr[1] = 'i';
	trace(arr);
	exit(0);
}
