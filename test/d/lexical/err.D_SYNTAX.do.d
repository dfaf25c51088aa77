/*
 * D has no do loop.
 */
#pragma D option quiet

BEGIN
{
	do {
		x++;
	} while (x < 5);
}
