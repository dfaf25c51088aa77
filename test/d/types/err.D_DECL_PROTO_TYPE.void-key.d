/*
 * void is no key.
 */
#pragma D option quiet

int a[void];
BEGIN
{
	exit(0);
}
