/*
 * The frames of stack() are positive.
 */
#pragma D option quiet

BEGIN
{
	stack(-1);
}
