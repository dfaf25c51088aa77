/*
 * Unary minus needs a number.
 */
#pragma D option quiet

BEGIN
{
	trace(-"a");
}
