/*
 * void stands alone in a list of parameters.
 */
#pragma D option quiet

int f(int, void);
BEGIN
{
	exit(0);
}
