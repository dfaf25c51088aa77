/*
 * A parameter has one declaration.
 */
#pragma D option quiet

int f(int a, int a);
BEGIN
{
	exit(0);
}
