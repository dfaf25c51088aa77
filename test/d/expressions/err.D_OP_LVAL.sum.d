/*
 * The value of an expression can't be changed.
 */
#pragma D option quiet

BEGIN
{
	x = 1;
	(x + 1)++;
}
