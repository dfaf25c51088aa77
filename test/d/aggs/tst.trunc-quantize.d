/*
 * Asserts that trunc() compares distributions by the sum of value times count.
 */
#pragma D option quiet

BEGIN
{
	@a["small"] = quantize(1, 10);
	@a["big"] = quantize(100);
	trunc(@a, 1);
	exit(0);
}
