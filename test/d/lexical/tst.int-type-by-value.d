/*
 * A decimal literal is the first of int and long that holds it; a hexadecimal one may be unsigned int.
 */
#pragma D option quiet

BEGIN
{
	printf("%d %d\n", sizeof (2147483647), sizeof (2147483648));
	printf("%d %d\n", sizeof (0xffffffff), sizeof (0x100000000));
	printf("%d\n", sizeof (4294967295));
	exit(0);
}
