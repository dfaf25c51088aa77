/*
 * D has no return.
 */
#pragma D option quiet

BEGIN
{
	return 0;
}
