/*
 * A void parameter has no name.
 */
#pragma D option quiet

int f(void v);
BEGIN
{
	exit(0);
}
