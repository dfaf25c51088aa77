/*
 * An aggregating function takes a scalar.
 */
#pragma D option quiet

BEGIN
{
	@a = sum("text");
}
