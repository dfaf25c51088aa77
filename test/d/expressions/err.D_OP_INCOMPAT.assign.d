/*
 * A variable that holds a number can't take a string.
 */
#pragma D option quiet

BEGIN
{
	x = 1;
	x = "a";
}
