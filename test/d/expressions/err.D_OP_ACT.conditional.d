/*
 * Actions do not stand in ?:.
 */
#pragma D option quiet

BEGIN
{
	pid ? trace(1) : trace(2);
}
