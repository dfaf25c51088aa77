/*
 * Asserts that %S escapes what is not printable.
 */
#pragma D option quiet

BEGIN
{
	printf("%S\n", "a\tb\nc\"d\\e");
	exit(0);
}
