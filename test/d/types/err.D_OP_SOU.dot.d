/*
 * The operator . needs a structure.
 */
#pragma D option quiet

BEGIN
{
	x = 1;
	trace(x.member);
}
