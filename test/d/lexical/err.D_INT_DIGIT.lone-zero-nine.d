/*
 * 09 is not an octal number.
 */
#pragma D option quiet

BEGIN
{
	trace(09);
	exit(0);
}
