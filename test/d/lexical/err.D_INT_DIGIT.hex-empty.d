/*
 * 0x without digits is not a number.
 */
#pragma D option quiet

BEGIN
{
	trace(0x);
	exit(0);
}
