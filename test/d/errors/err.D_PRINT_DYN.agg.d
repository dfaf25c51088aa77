/*
 * print() takes no aggregation.
 */
#pragma D option quiet

BEGIN
{
	@a = count();
	print(@a);
}
