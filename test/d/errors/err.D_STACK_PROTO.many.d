/*
 * stack() takes one argument.
 */
#pragma D option quiet

BEGIN
{
	stack(1, 2);
}
