/*
 * Asserts that each key has a distribution of its own, after the key.
 */
#pragma D option quiet

BEGIN
{
	@["a"] = quantize(1);
	@["b"] = quantize(2);
	exit(0);
}
