/*
 * static has no meaning in D.
 */
#pragma D option quiet

static int x;
BEGIN
{
	exit(0);
}
