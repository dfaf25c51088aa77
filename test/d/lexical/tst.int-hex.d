/*
 * 0x and 0X make an integer literal hexadecimal, digits of either case.
 */
#pragma D option quiet

BEGIN
{
	printf("%x %x %x\n", 0xff, 0XaBcD, 0xDeadBeef);
	exit(0);
}
