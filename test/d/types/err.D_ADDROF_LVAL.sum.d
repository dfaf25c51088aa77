/*
 * The value of an expression has no address.
 */
#pragma D option quiet

BEGIN
{
	x = 1;
	trace(&(x + 1));
}
