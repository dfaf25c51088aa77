/*
 * The status of exit() is any expression.
 */
/* @@exit: 7 */
#pragma D option quiet

BEGIN
{
	x = 3;
	exit(x * 2 + 1);
}
