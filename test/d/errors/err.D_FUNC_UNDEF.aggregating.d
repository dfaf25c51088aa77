/*
 * An aggregating function that does not exist.
 */
#pragma D option quiet

BEGIN
{
	@a = median(5);
}
