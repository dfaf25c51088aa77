/*
 * Asserts that distributions are sorted by the sum of value times count.
 */
#pragma D option quiet

BEGIN
{
	@["many"] = quantize(1, 100);
	@["big"] = quantize(1024);
	@["none"] = quantize(0, 1000);
	exit(0);
}
