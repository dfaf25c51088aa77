/*
 * sum() adds a product of ints with all its 64 bits.
 */
#pragma D option quiet

BEGIN
{
	x = 70000;
	@ = sum(x * x);
	printa("%@d\n", @);
	exit(0);
}
