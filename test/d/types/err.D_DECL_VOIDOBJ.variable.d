/*
 * There are no void variables.
 */
#pragma D option quiet

void v;
BEGIN
{
	exit(0);
}
