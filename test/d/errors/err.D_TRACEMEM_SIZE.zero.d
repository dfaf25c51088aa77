/*
 * The size of tracemem() is positive.
 */
#pragma D option quiet

BEGIN
{
	p = alloca(8);
	tracemem(p, 0);
}
