/*
 * A decimal literal without u that no signed type holds is refused.
 */
#pragma D option quiet

BEGIN
{
	trace(9223372036854775808);
	exit(0);
}
