/*
 * Statements are separated by semicolons.
 */
#pragma D option quiet

BEGIN
{
	x = 1
	y = 2;
}
