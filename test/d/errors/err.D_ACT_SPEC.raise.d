/*
 * Destructive actions are not speculative.
 */
/* @@opts: -w */
#pragma D option quiet

BEGIN
{
	speculate(1);
	raise(1);
}
