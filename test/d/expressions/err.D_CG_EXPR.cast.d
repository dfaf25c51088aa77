/*
 * An action has no value, not even a void one.
 */
#pragma D option quiet

BEGIN
{
	(void)trace(1);
}
