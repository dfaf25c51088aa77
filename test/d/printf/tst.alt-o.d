/*
 * Asserts that # puts 0 before octal numbers.
 */
#pragma D option quiet

BEGIN
{
	printf("%#o\n", 15);
	exit(0);
}
