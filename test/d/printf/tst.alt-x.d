/*
 * Asserts that # puts 0x or 0X before hexadecimal numbers, but not before 0.
 */
#pragma D option quiet

BEGIN
{
	printf("%#x %#X %#x\n", 255, 255, 0);
	exit(0);
}
