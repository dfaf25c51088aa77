/*
 * 8 and 9 are not octal digits.
 */
#pragma D option quiet

BEGIN
{
	trace(0778);
	exit(0);
}
