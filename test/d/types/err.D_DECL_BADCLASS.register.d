/*
 * register has no meaning in D.
 */
#pragma D option quiet

register int x;
BEGIN
{
	exit(0);
}
