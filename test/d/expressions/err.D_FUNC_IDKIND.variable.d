/*
 * A variable can't be called.
 */
#pragma D option quiet

BEGIN
{
	pid(1);
}
