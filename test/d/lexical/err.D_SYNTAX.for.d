/*
 * D has no for loop.
 */
#pragma D option quiet

BEGIN
{
	for (x = 0; x < 5; x++)
		trace(x);
}
