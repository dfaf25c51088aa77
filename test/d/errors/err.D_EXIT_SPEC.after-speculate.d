/*
 * exit() is not speculative.
 */
#pragma D option quiet

BEGIN
{
	speculate(1);
	exit(0);
}
