/*
 * An associative array that is never assigned can't be read.
 */
#pragma D option quiet

BEGIN
{
	trace(never[1]);
}
