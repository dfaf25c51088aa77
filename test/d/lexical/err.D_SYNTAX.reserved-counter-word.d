/*
 * Reserved words are no identifiers: counter.
 */
#pragma D option quiet

BEGIN
{
	counter = 1;
}
