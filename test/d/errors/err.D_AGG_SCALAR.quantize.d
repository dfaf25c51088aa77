/*
 * quantize() takes a scalar.
 */
#pragma D option quiet

BEGIN
{
	@a = quantize("text");
}
