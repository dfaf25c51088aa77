/*
 * A key has the bytes of its type: two products that differ above 32 bits only are one key.
 */
#pragma D option quiet

BEGIN
{
	x = 65536;
	@[x * x] = count();
	@[x * x * 2] = count();
	printa("%d %@d\n", @);
	exit(0);
}
