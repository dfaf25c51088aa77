/*
 * The frames of stack() are a constant.
 */
#pragma D option quiet

BEGIN
{
	n = 5;
	stack(n);
}
