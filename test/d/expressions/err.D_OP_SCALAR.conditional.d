/*
 * The condition of ?: is a scalar.
 */
#pragma D option quiet

BEGIN
{
	trace("a" ? 1 : 2);
}
