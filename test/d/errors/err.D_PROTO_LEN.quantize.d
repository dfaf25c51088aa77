/*
 * quantize() takes a value and an increment.
 */
#pragma D option quiet

BEGIN
{
	@a = quantize(1, 2, 3);
}
