/*
 * uregs[] has one index.
 */
#pragma D option quiet

BEGIN
{
	trace(uregs[0, 1]);
}
