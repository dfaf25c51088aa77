/*
 * The fault of a bad address tells the address.
 */
#pragma D option quiet

BEGIN
{
	trace(*(char *)0x1234);
}

ERROR
{
	printf("%d %x\n", arg4, arg5);
	exit(0);
}
