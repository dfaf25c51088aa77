/*
 * D has no while loop.
 */
#pragma D option quiet

BEGIN
{
	while (x < 5)
		x++;
}
