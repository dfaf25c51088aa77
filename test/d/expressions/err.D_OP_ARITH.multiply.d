/*
 * * needs numbers.
 */
#pragma D option quiet

BEGIN
{
	trace("a" * 2);
}
