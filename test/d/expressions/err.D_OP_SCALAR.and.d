/*
 * && needs scalars.
 */
#pragma D option quiet

BEGIN
{
	trace("a" && 1);
}
