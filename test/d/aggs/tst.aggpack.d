/*
 * Asserts that aggpack prints each distribution in one line.
 *
 * @@opts: -xaggpack -xencoding=ascii
 */
#pragma D option quiet

BEGIN
{
	@["a"] = quantize(1);
	@["b"] = quantize(4);
	exit(0);
}
