/*
 * uregs[] has no negative index.
 */
#pragma D option quiet

BEGIN
{
	trace(uregs[-1]);
}
