/*
 * chill() is not speculative.
 */
/* @@opts: -w */
#pragma D option quiet

BEGIN
{
	speculate(1);
	chill(10);
}
