/*
 * There is nothing to print in a void expression.
 */
#pragma D option quiet

BEGIN
{
	print((void)1);
}
