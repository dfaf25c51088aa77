/*
 * Asserts that the status may be an expression.
 *
 * @@exit: 5
 */
#pragma D option quiet

BEGIN
{
	x = 4;
	exit(x + 1);
}
