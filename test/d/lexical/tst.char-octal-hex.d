/*
 * Octal and hexadecimal escapes give a character by its code.
 */
#pragma D option quiet

BEGIN
{
	printf("%d %d %d %d %d\n", '\0', '\7', '\101', '\x41', '\x7f');
	exit(0);
}
