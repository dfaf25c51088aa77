/*
 * The third argument of tracemem() is a number.
 */
#pragma D option quiet

BEGIN
{
	tracemem(0, 8, "x");
}
