/*
 * Asserts that a cleared distribution shows empty rows around 0.
 */
#pragma D option quiet

BEGIN
{
	@a = quantize(64);
	clear(@a);
	exit(0);
}
