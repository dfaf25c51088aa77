/*
 * D has no floating-point constants.
 */
#pragma D option quiet

BEGIN
{
	trace(1.5);
	exit(0);
}
