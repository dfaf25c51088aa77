/*
 * offsetof needs a structure or a union.
 */
#pragma D option quiet

BEGIN
{
	trace(offsetof(int, x));
}
