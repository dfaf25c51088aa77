/*
 * A decimal literal past 2^64 - 1 is refused.
 */
#pragma D option quiet

BEGIN
{
	trace(18446744073709551616u);
	exit(0);
}
