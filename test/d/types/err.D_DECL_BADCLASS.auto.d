/*
 * auto has no meaning in D.
 */
#pragma D option quiet

auto int x;
BEGIN
{
	exit(0);
}
