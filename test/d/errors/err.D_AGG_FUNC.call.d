/*
 * A function that does not aggregate is no aggregating function.
 */
#pragma D option quiet

BEGIN
{
	@a = strlen("a");
}
