/*
 * bcopy() to memory that is not one's own is fault 1.
 */
#pragma D option quiet

BEGIN
{
	p = alloca(8);
	bcopy(p, (void *)0x1000, 8);
}

ERROR
{
	printf("%d\n", arg4);
	exit(0);
}
