/*
 * A built-in variable can't be incremented.
 */
#pragma D option quiet

BEGIN
{
	timestamp++;
}
