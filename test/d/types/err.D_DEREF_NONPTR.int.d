/*
 * * needs a pointer.
 */
#pragma D option quiet

BEGIN
{
	x = 1;
	trace(*x);
}
