/*
 * Asserts that %c prints the character of a number.
 */
#pragma D option quiet

BEGIN
{
	printf("%c%c%c\n", 'D', 84, (char)101);
	exit(0);
}
