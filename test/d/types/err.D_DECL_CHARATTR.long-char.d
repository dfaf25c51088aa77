/*
 * There is no long char.
 */
#pragma D option quiet

long char c;
BEGIN
{
	exit(0);
}
