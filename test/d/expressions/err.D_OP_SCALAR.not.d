/*
 * ! needs a scalar.
 */
#pragma D option quiet

BEGIN
{
	trace(!"a");
}
