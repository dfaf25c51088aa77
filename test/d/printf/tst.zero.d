/*
 * Asserts that 0 fills the width with zeroes after the sign.
 */
#pragma D option quiet

BEGIN
{
	printf("%05d %05d %08x\n", 42, -42, 0xbeef);
	exit(0);
}
