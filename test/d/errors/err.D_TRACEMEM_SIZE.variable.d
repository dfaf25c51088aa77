/*
 * The size of tracemem() is a constant.
 */
#pragma D option quiet

BEGIN
{
	p = alloca(8);
	n = 8;
	tracemem(p, n);
}
